/**
 * What a browser carries between the pages of an authorization, sealed: nothing is stored before consent.
 *
 * A consent ticket holds the validated request and is bound to the browser's session and account; its id becomes the
 * credential's id, so that a form submitted twice gives one grant.
 */
import type { GrantId, Hash, Permission, TokenId, UserId } from "../../kernel/ids.ts"
import type { Session } from "../../records/account.rules.ts"
import type { DevicePurpose } from "../../records/device-grant.rules.ts"
import type { ConsentTicket } from "./consent.rules.ts"
import type { Keys } from "../../kernel/keys.ts"

export function sealTicket(keys: Keys, ticket: ConsentTicket): string {
  return keys.seal("consent", JSON.stringify(ticket))
}

export function openTicket(keys: Keys, text: string): ConsentTicket | null {
  const content = keys.open("consent", text)
  return content === null ? null : (JSON.parse(content) as ConsentTicket)
}

/** What the form on the device page carries: which grant was shown to whom, and whether this is the second time. */
export type DeviceTicket = {
  /** The confirmation page has that of the page before. Spent where administration was withdrawn: DG-8. */
  readonly id: TokenId
  readonly grantId: GrantId
  readonly purpose: DevicePurpose["purpose"]
  /** As the person knows it; shown again on the page that confirms. */
  readonly userCode: string
  readonly granted: readonly Permission[]
  readonly sessionHash: Hash
  readonly userId: UserId
  readonly shownAt: number
  readonly isConfirmation: boolean
}

export function sealDeviceTicket(keys: Keys, ticket: DeviceTicket): string {
  return keys.seal("device", JSON.stringify(ticket))
}

export function openDeviceTicket(keys: Keys, text: string): DeviceTicket | null {
  const content = keys.open("device", text)
  if (content === null) return null
  const ticket = JSON.parse(content) as DeviceTicket
  // A page of an earlier version has no id.
  return "id" in ticket ? ticket : null
}

/** The address of this service that sign-in interrupted (path and query). Sealed, it can lead nowhere else. */
export function sealContinuation(keys: Keys, path: string): string {
  return keys.seal("continue", path)
}

/** A form of this session that waits for a proof, as it was sent to `path`. */
export function sealInterrupted(keys: Keys, path: string, { sessionHash }: Session, body: string): string {
  return keys.seal("interrupted", JSON.stringify([sessionHash, path, body]))
}

/** The body of that form; null for one of another session or path, and for anything else. */
export function openInterrupted(
  keys: Keys,
  text: string,
  path: string,
  { sessionHash }: Session,
): string | null {
  const content = keys.open("interrupted", text)
  if (content === null) return null
  const [ofSession, ofPath, body] = JSON.parse(content) as [Hash, string, string]
  return ofSession === sessionHash && ofPath === path ? body : null
}

export function openContinuation(keys: Keys, text: string): string | null {
  return keys.open("continue", text)
}
