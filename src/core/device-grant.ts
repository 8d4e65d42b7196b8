/**
 * A device grant: a machine without a browser asks, a person answers on another screen. RFC 8628; interface table
 * "Device grant", DG-1…DG-7.
 */
import type { ClientId, GrantId, Hash, Permission, TokenId, UserId } from "./brand.ts"
import { isAlive } from "./time.ts"

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
  | { readonly state: "redeemed"; readonly redeemedAt: number }
  | { readonly state: "denied"; readonly deniedAt: number }
  | { readonly state: "expired" }

export type DeviceGrant = { readonly request: DeviceRequest; readonly answer: DeviceState }

/**
 * The grant as time has made it: ten minutes without a fetch end it, approved or not. The first answer that tells so
 * stores it.
 */
export function deviceAsOf(grant: DeviceGrant, now: number): DeviceGrant {
  const { state } = grant.answer
  const isOpen = state === "pending" || state === "approved"
  return isOpen && !isAlive(grant.request.expiresAt, now) ? { ...grant, answer: { state: "expired" } } : grant
}
