/**
 * A device grant: a machine without a browser asks, a person answers on another screen. RFC 8628; interface table
 * "Device grant", DG-1…DG-9.
 */
import type { ClientId, GrantId, Hash, Permission, TokenId, UserId } from "../kernel/ids.ts"
import { DEVICE_SECONDS } from "../kernel/limits.ts"
import { isAlive } from "../kernel/time.ts"

/** What the machine asked for. Settled when it asked; no link and no form can change it. */
export type DeviceRequest = {
  readonly grantId: GrantId
  readonly deviceHash: Hash
  /** Digest of the user code; the page shows back what the person typed. */
  readonly userCodeHash: Hash
  readonly clientId: ClientId
  readonly purpose: DevicePurpose
  /** The network address that asked, shown to the person who is to approve. */
  readonly address: string
  readonly askedAt: number
  readonly expiresAt: number
}

export type DevicePurpose =
  | {
      readonly purpose: "access"
      /** Closed under implication, in the catalogue's order. */
      readonly asked: readonly Permission[]
      readonly installationName: string | null
    }
  /** STEP-1: the ceremony that elevates a credential which exists. */
  | {
      readonly purpose: "step-up"
      readonly tokenId: TokenId
      readonly userId: UserId
      readonly reason: string | null
    }

export type DeviceState =
  | { readonly state: "pending" }
  | {
      readonly state: "approved"
      readonly userId: UserId
      /** What the page showed as granted; empty for a step-up. */
      readonly granted: readonly Permission[]
      readonly approvedAt: number
    }
  /** `userId`: the account that approved. */
  | { readonly state: "redeemed"; readonly redeemedAt: number; readonly userId: UserId | null }
  /** `userId`: the account that refused; null where an approval was voided with its account. */
  | { readonly state: "denied"; readonly deniedAt: number; readonly userId: UserId | null }
  | { readonly state: "expired" }

export type DeviceGrant = { readonly request: DeviceRequest; readonly answer: DeviceState }

/**
 * The grant with the effect of time: ten minutes end a pending one, and ten more minutes an approval that is not
 * fetched (DG-7, DG-9). The first answer that reports an expiry stores it.
 */
export function deviceAsOf(grant: DeviceGrant, now: number): DeviceGrant {
  const endsAt = openUntil(grant)
  return endsAt !== null && !isAlive(endsAt, now) ? { ...grant, answer: { state: "expired" } } : grant
}

/** When time ends the grant; null in a final state. */
function openUntil({ request, answer }: DeviceGrant): number | null {
  switch (answer.state) {
    case "pending":
      return request.expiresAt
    case "approved":
      return answer.approvedAt + DEVICE_SECONDS
    case "redeemed":
    case "denied":
    case "expired":
      return null
  }
}
