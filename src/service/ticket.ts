/**
 * What a browser carries between the pages of an authorization, sealed: nothing is stored before consent.
 *
 * A consent ticket holds the validated request and is bound to the browser's session and account; its id becomes the
 * credential's id, so that a form submitted twice gives one grant.
 */
import type { Hash, Permission, TokenId, UserId } from "../core/brand.ts"
import type { AuthorizationRequest } from "../core/authorization-request.ts"
import type { Keys } from "../system/keys.ts"

export type ConsentTicket = {
  readonly id: TokenId
  readonly request: AuthorizationRequest
  /** What the page shows as granted. */
  readonly granted: readonly Permission[]
  readonly sessionHash: Hash
  readonly userId: UserId
  readonly shownAt: number
}

export function sealTicket(keys: Keys, ticket: ConsentTicket): string {
  return keys.seal("consent", JSON.stringify(ticket))
}

export function openTicket(keys: Keys, text: string): ConsentTicket | null {
  const content = keys.open("consent", text)
  return content === null ? null : (JSON.parse(content) as ConsentTicket)
}

/** The address of this service that sign-in interrupted (path and query). Sealed, it can lead nowhere else. */
export function sealContinuation(keys: Keys, path: string): string {
  return keys.seal("continue", path)
}

export function openContinuation(keys: Keys, text: string): string | null {
  return keys.open("continue", text)
}
