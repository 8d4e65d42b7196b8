/**
 * Seals what a browser carries between the pages of an authorization, because nothing is stored before consent.
 *
 * A consent ticket contains the validated request. The ticket is bound to the browser's session and account. Its id
 * becomes the credential's id, so a form that is submitted twice creates one grant.
 */
import type { GrantId, Hash, Permission, TokenId, UserId } from "../../kernel/ids.ts"
import type { Session } from "../../model/account.rules.ts"
import type { DevicePurpose } from "../../model/device-grant.rules.ts"
import type { ConsentTicket } from "../../oauth/authorize/consent.rules.ts"
import type { Keys } from "../../kernel/keys.ts"

export function sealTicket(keys: Keys, ticket: ConsentTicket): string {
  return keys.seal("consent", JSON.stringify(ticket))
}

export function openTicket(keys: Keys, text: string): ConsentTicket | null {
  const content = keys.open("consent", text)
  return content === null ? null : (JSON.parse(content) as ConsentTicket)
}

/**
 * The content of the hidden field in the device page's form. It names the grant on the page, and the account and
 * session that saw the page.
 */
export type DeviceTicket = {
  /** The confirmation page keeps the id of the first page. Withdrawn administration uses up the id: DG-8. */
  readonly id: TokenId
  readonly grantId: GrantId
  readonly purpose: DevicePurpose["purpose"]
  /** The code that the person typed. The confirmation page shows it again. */
  readonly userCode: string
  readonly granted: readonly Permission[]
  readonly sessionHash: Hash
  readonly userId: UserId
  readonly shownAt: number
  readonly isConfirmation: boolean
  /** When the change took place that the page reported of the app's document. */
  readonly shownChange?: number | null
}

export function sealDeviceTicket(keys: Keys, ticket: DeviceTicket): string {
  return keys.seal("device", JSON.stringify(ticket))
}

export function openDeviceTicket(keys: Keys, text: string): DeviceTicket | null {
  const content = keys.open("device", text)
  if (content === null) return null
  const ticket = JSON.parse(content) as DeviceTicket
  // Pages of earlier versions contain a ticket without an id.
  return "id" in ticket ? ticket : null
}

/** Seals the path and query that a sign-in interrupted. A client cannot change a sealed path into an open redirect. */
export function sealContinuation(keys: Keys, path: string): string {
  return keys.seal("continue", path)
}

/** Seals a form that waits for re-authentication. The seal also covers the session and the `path` of the form. */
export function sealInterrupted(keys: Keys, path: string, { sessionHash }: Session, body: string): string {
  return keys.seal("interrupted", JSON.stringify([sessionHash, path, body]))
}

/** Returns the body of the sealed form. Returns null if the seal is invalid or belongs to another session or path. */
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
