import type { Identity } from "../../../model/sign-in/identity.rules.ts"
import { type Columns, columnText, decode, encode, type RowOf } from "../columns.ts"
import { insertInto } from "../insert.ts"
import type { Value } from "../value.ts"

type Stored = Omit<Identity, "grantsAdministration"> & { readonly grantsAdministration: number }

const columns = {
  identityHash: "identity_hash",
  issuer: "issuer",
  subject: "subject",
  userId: "user_id",
  provider: "provider",
  shownName: "shown_name",
  linkedAt: "linked_at",
  grantsAdministration: "grants_admin",
} as const satisfies Columns<Stored>

export type IdentityRow = RowOf<Stored, typeof columns>
export const identityColumns = columnText(columns)

export function identityOf(row: IdentityRow): Identity {
  return { ...decode<Stored, typeof columns>(columns, row), grantsAdministration: row.grants_admin === 1 }
}

export function identityValues(identity: Identity): Value[] {
  return encode<Stored>(columns, { ...identity, grantsAdministration: identity.grantsAdministration ? 1 : 0 })
}

export const INSERT_IDENTITY = insertInto("identity", identityColumns)

/** Updates only the columns that a sign-in can change. */
export const UPDATE_IDENTITY = "UPDATE identity SET grants_admin = ?, shown_name = ? WHERE identity_hash = ?"

export function changedIdentityValues({ identityHash, grantsAdministration, shownName }: Identity): Value[] {
  return [grantsAdministration ? 1 : 0, shownName, identityHash]
}
