/**
 * Seals the consent that a browser carries between the pages of an authorization, because nothing is stored before
 * consent. The ticket is bound to the browser's session and account. Its id becomes the credential's id, so a form that
 * is submitted twice creates one grant.
 */
import type { GrantId, Hash, Permission, TokenId, UserId } from "../../kernel/ids.ts"
import type { Keys } from "../../kernel/keys.ts"
import type { DevicePurpose } from "../../model/device-grant.rules.ts"
import type { ConsentTicket } from "./consent.rules.ts"

export function sealTicket(keys: Keys, ticket: ConsentTicket): string {
  return keys.seal("consent", JSON.stringify(ticket))
}

export function openTicket(keys: Keys, text: string): ConsentTicket | null {
  const content = keys.open("consent", text)
  return content === null ? null : (JSON.parse(content) as ConsentTicket)
}

/** The hidden field of the device page: the grant on the page, and the account and session that saw the page. */
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
