/** An account and the browsers that are signed in to it. */
import type { Hash, UserId } from "../kernel/ids.ts"

export type Account = {
  readonly userId: UserId
  readonly username: string
  /** The canonical form of the name (NFKC, case-folded, trimmed): what is compared, and unique. */
  readonly usernameKey: string
  /** PHC string of argon2id. */
  readonly passwordHash: string
  readonly admin: boolean
  readonly enabled: boolean
  readonly createdAt: number
}

/** A signed-in browser. The cookie holds the secret; the row its digest. */
export type Session = {
  readonly sessionHash: Hash
  readonly userId: UserId
  readonly createdAt: number
  readonly seenAt: number
  readonly address: string
  readonly userAgent: string
  /** What this browser proved last; null for a session that began before proofs were kept. */
  readonly proof: Proof | null
}

/** That the account holder was there: with what strength, and when. */
export type Proof = { readonly by: "password" | "second-factor"; readonly at: number }
