/** The e-mail addresses of accounts, and one-time links. */
import type { AccountEmail, OneTimeLink } from "../../../model/mail/email.rules.ts"
import { type Columns, columnText, decode, encode, type RowOf } from "../columns.ts"
import { insertInto, upsertInto } from "../insert.ts"
import type { Value } from "../value.ts"

const email = {
  userId: "user_id",
  address: "address",
  addressKey: "address_key",
  verifiedAt: "verified_at",
} as const satisfies Columns<AccountEmail>

export type EmailRow = RowOf<AccountEmail, typeof email>
export const emailColumns = columnText(email)
export const emailOf = (row: EmailRow): AccountEmail => decode(email, row)
export const emailValues = (of: AccountEmail): Value[] => encode(email, of)

export const SET_EMAIL = upsertInto("email", "user_id", emailColumns)

export const REMOVE_EMAIL = "DELETE FROM email WHERE user_id = ?"

const link = {
  linkHash: "link_hash",
  userId: "user_id",
  purpose: "purpose",
  address: "address",
  passwordDigest: "password_digest",
  madeAt: "made_at",
  expiresAt: "expires_at",
} as const satisfies Columns<OneTimeLink>

export type LinkRow = RowOf<OneTimeLink, typeof link>
export const linkColumns = columnText(link)
export const linkOf = (row: LinkRow): OneTimeLink => decode(link, row)
export const linkValues = (of: OneTimeLink): Value[] => encode(link, of)

export const INSERT_LINK = insertInto("one_time_link", linkColumns)

export const END_LINK = "DELETE FROM one_time_link WHERE link_hash = ?"

export const END_LINKS = "DELETE FROM one_time_link WHERE user_id = ? AND purpose = ? AND made_at >= ?"
