/** An account and its signed-in browsers. */
import type { Hash, UserId } from "../kernel/ids.ts"

/** Only apps use a service account. It has no password, no factors, no sessions and no consent page. */
export type AccountType = "person" | "service"

export type Account = {
  readonly userId: UserId
  readonly type: AccountType
  /** The person who is responsible for a service account; null for a person, and if no person is responsible. */
  readonly ownerId: UserId | null
  readonly username: string
  /** The canonical form of the name (NFKC, case-folded, trimmed). Names are compared by it, and it is unique. */
  readonly usernameKey: string
  /** An argon2id hash in PHC string format. Null only for a service account. */
  readonly passwordHash: string | null
  readonly admin: boolean
  readonly enabled: boolean
  readonly createdAt: number
}

export type Person = Account & { readonly passwordHash: string }

/** Returns a person's account. Sign-in, factors and recovery treat a service account like an unknown account. */
export function asPerson(account: Account | null): Person | null {
  return account !== null && isPerson(account) ? account : null
}

function isPerson(account: Account): account is Person {
  return account.type === "person" && account.passwordHash !== null
}

/** A signed-in browser. The cookie holds the secret; the row holds its digest. */
export type Session = {
  readonly sessionHash: Hash
  readonly userId: UserId
  readonly createdAt: number
  readonly seenAt: number
  readonly address: string
  readonly userAgent: string
  /** The last proof of this browser; null if the session began before proofs were stored. */
  readonly proof: Proof | null
}

/** The strength and the time of the last sign-in or re-authentication. */
export type Proof = { readonly by: "password" | "second-factor"; readonly at: number }
