/** The e-mail address of an account, and the one-time links that are sent by e-mail or printed for the operator. */
import type { Hash, UserId } from "../../kernel/ids.ts"

/** The confirmed address of an account. An account has at most one, and no two accounts share one. */
export type AccountEmail = {
  readonly userId: UserId
  /** The address as it was confirmed. Mail goes to this spelling. */
  readonly address: string
  /** The address in lower case. Addresses are compared by it. */
  readonly addressKey: string
  /** When the account confirmed it. 0 if only an application says that the address is theirs. */
  readonly verifiedAt: number
}

export const isConfirmed = ({ verifiedAt }: AccountEmail) => verifiedAt !== 0

/**
 * `recover` goes to the confirmed address. The operator hands `recover-by-hand` over. Strangers can cause the first, so
 * it never ends the second.
 */
const linkPurposes = ["confirm-address", "restore-address", "recover", "recover-by-hand"] as const

export type LinkPurpose = (typeof linkPurposes)[number]

/** A link that works once. The link contains the secret. The row contains its digest. */
export type OneTimeLink = {
  readonly linkHash: Hash
  readonly userId: UserId
  readonly purpose: LinkPurpose
  /** The address that the link was sent to. It is null if the operator hands the link over. */
  readonly address: string | null
  /** The digest of the stored password hash, so a new password ends the link. Null if the link outlives it. */
  readonly passwordDigest: Hash | null
  readonly madeAt: number
  readonly expiresAt: number
}
