/** A device without a browser asks, and a person answers on another screen. RFC 8628; DG-1…DG-9. */
import type { ClientId, GrantId, Hash, Permission, TokenId, UserId } from "../kernel/ids.ts"
import { DEVICE_SECONDS } from "../kernel/limits.ts"
import { isAlive } from "../kernel/time.ts"

/** The request of the device. No link and no form can change it. */
export type DeviceRequest = {
  readonly grantId: GrantId
  readonly deviceHash: Hash
  /** The digest of the user code. Pages show the code as the person typed it. */
  readonly userCodeHash: Hash
  readonly clientId: ClientId
  readonly purpose: DevicePurpose
  /** The network address of the device. The person who approves sees it. */
  readonly address: string
  readonly askedAt: number
  readonly expiresAt: number
}

export type DevicePurpose =
  | {
      readonly purpose: "access"
      /** The requested permissions with everything that they imply, in the catalog's order. */
      readonly asked: readonly Permission[]
      readonly installationName: string | null
      /** The `resource` values of the request. RFC 8707. */
      readonly resources: readonly string[]
    }
  /** A step-up elevates an existing credential. STEP-1. */
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
      /** The permissions that the page offered to grant. A step-up has none. */
      readonly granted: readonly Permission[]
      readonly approvedAt: number
      /** What id_tokens say about the sign-in (`openid-facts.rules.ts`). Null without the permission `openid`. */
      readonly openid: string | null
    }
  /** `userId` is the account that approved. */
  | { readonly state: "redeemed"; readonly redeemedAt: number; readonly userId: UserId | null }
  /** The account that refused, or null if the grant ended because the approving account is no longer active. */
  | { readonly state: "denied"; readonly deniedAt: number; readonly userId: UserId | null }
  | { readonly state: "expired" }

export type DeviceGrant = { readonly request: DeviceRequest; readonly answer: DeviceState }

/**
 * Returns the grant as of `now`. A pending grant expires after ten minutes. An approved grant expires after ten more
 * minutes without a poll (DG-7, DG-9). The first response that reports an expiry stores it.
 */
export function deviceAsOf(grant: DeviceGrant, now: number): DeviceGrant {
  const endsAt = openUntil(grant)
  return endsAt !== null && !isAlive(endsAt, now) ? { ...grant, answer: { state: "expired" } } : grant
}

/** Returns when the grant expires. Returns null in a final state. */
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
