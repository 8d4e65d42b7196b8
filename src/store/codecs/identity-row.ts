import type { Hash, UserId } from "../../kernel/ids.ts"
import type { Identity } from "../../model/sign-in/identity.rules.ts"
import { insertInto } from "./insert.ts"
import type { Value } from "./value.ts"

export type IdentityRow = {
  readonly identity_hash: string
  readonly issuer: string
  readonly subject: string
  readonly user_id: string
  readonly provider: string
  readonly shown_name: string | null
  readonly linked_at: number
  readonly grants_admin: number
}

export const identityColumns =
  "identity_hash, issuer, subject, user_id, provider, shown_name, linked_at, grants_admin"

export function identityOf(row: IdentityRow): Identity {
  return {
    identityHash: row.identity_hash as Hash,
    issuer: row.issuer,
    subject: row.subject,
    userId: row.user_id as UserId,
    provider: row.provider,
    shownName: row.shown_name,
    linkedAt: row.linked_at,
    grantsAdministration: row.grants_admin === 1,
  }
}

/** Returns the values in the order of `identityColumns`. */
export function identityValues(identity: Identity): Value[] {
  const { identityHash, issuer, subject, userId, provider, shownName, linkedAt } = identity
  return [
    identityHash,
    issuer,
    subject,
    userId,
    provider,
    shownName,
    linkedAt,
    identity.grantsAdministration ? 1 : 0,
  ]
}

export const INSERT_IDENTITY = insertInto("identity", identityColumns)

/** Updates only the column that a sign-in can change. */
export const UPDATE_IDENTITY = "UPDATE identity SET grants_admin = ? WHERE identity_hash = ?"

export function changedIdentityValues({ identityHash, grantsAdministration }: Identity): Value[] {
  return [grantsAdministration ? 1 : 0, identityHash]
}
