import type { Hash, UserId } from "../kernel/ids.ts"

/** Only apps use a service account, which has no password, no factors, no sessions and no consent page. */
export type AccountType = "person" | "service"

export type Account = {
  readonly userId: UserId
  readonly type: AccountType
  /** The person responsible for a service account. Null for a person, and if there is no such person. */
  readonly ownerId: UserId | null
  readonly username: string
  /** The canonical form of the name (NFKC, case-folded, trimmed). It is unique, and names are compared by it. */
  readonly usernameKey: string
  /** A hash as in `password-hash.rules.ts`, or `NO_PASSWORD` for a person without one. Null for a service account. */
  readonly passwordHash: string | null
  readonly admin: boolean
  /** The names of its groups, sorted. Only changes of groups write them. Equal lists from the store are one list. */
  readonly groups: readonly string[]
  readonly enabled: boolean
  readonly createdAt: number
  /** The tag of the language that the person chose for pages and mails. Null if none was chosen. */
  readonly language: string | null
}

/** A new account of a person, which is in no group yet. */
export function newPerson(
  { username, usernameKey }: Pick<Account, "username" | "usernameKey">,
  of: Pick<Account, "userId" | "passwordHash" | "admin" | "createdAt">,
): Account {
  const nothingChosen = { ownerId: null, groups: [], enabled: true, language: null }
  return { ...of, username, usernameKey, type: "person", ...nothingChosen }
}

/** Stands in place of the hash of a person without a password. No password matches it. */
export const NO_PASSWORD = "none"

export function hasPassword({ passwordHash }: Account): boolean {
  return passwordHash !== null && passwordHash !== NO_PASSWORD
}

export type Person = Account & { readonly passwordHash: string }

/** Returns null for a service account. Sign-in, factors and recovery then treat it like an unknown account. */
export function asPerson(account: Account | null): Person | null {
  return account !== null && isPerson(account) ? account : null
}

function isPerson(account: Account): account is Person {
  return account.type === "person" && account.passwordHash !== null
}

/** A signed-in browser. The cookie contains the secret. The row contains its digest. */
export type Session = {
  readonly sessionHash: Hash
  readonly userId: UserId
  readonly createdAt: number
  readonly seenAt: number
  readonly address: string
  readonly userAgent: string
  /** The last proof of this browser. The value is null if the session began before proofs were stored. */
  readonly proof: Proof | null
  /** The application whose assertion began the session. Null for any other session. */
  readonly vouched: Vouched | null
}

/** Which sign-in provider vouched for a session, and when it did last. */
export type Vouched = { readonly by: string; readonly at: number }

export type Proof = {
  readonly by: "password" | "second-factor"
  readonly at: number
  /** The methods (RFC 8176 §2). Missing if a provider named none, and for a proof from before they were stored. */
  readonly amr?: readonly string[]
}
