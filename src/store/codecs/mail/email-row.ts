/** The e-mail addresses of accounts, and one-time links. */
import type { Hash, UserId } from "../../../kernel/ids.ts"
import type { AccountEmail, LinkPurpose, OneTimeLink } from "../../../model/mail/email.rules.ts"
import { insertInto, upsertInto } from "../insert.ts"
import type { Value } from "../value.ts"

export type EmailRow = {
  readonly user_id: string
  readonly address: string
  readonly address_key: string
  readonly verified_at: number
}

export const emailColumns = "user_id, address, address_key, verified_at"

export function emailOf(row: EmailRow): AccountEmail {
  return {
    userId: row.user_id as UserId,
    address: row.address,
    addressKey: row.address_key,
    verifiedAt: row.verified_at,
  }
}

export function emailValues({ userId, address, addressKey, verifiedAt }: AccountEmail): Value[] {
  return [userId, address, addressKey, verifiedAt]
}

export const SET_EMAIL = upsertInto("email", "user_id", emailColumns)

export const REMOVE_EMAIL = "DELETE FROM email WHERE user_id = ?"

export type LinkRow = {
  readonly link_hash: string
  readonly user_id: string
  readonly purpose: string
  readonly address: string | null
  readonly password_digest: string | null
  readonly made_at: number
  readonly expires_at: number
}

export const linkColumns = "link_hash, user_id, purpose, address, password_digest, made_at, expires_at"

export function linkOf(row: LinkRow): OneTimeLink {
  return {
    linkHash: row.link_hash as Hash,
    userId: row.user_id as UserId,
    purpose: row.purpose as LinkPurpose,
    address: row.address,
    passwordDigest: row.password_digest as Hash | null,
    madeAt: row.made_at,
    expiresAt: row.expires_at,
  }
}

export function linkValues(link: OneTimeLink): Value[] {
  const { linkHash, userId, purpose, address, passwordDigest, madeAt, expiresAt } = link
  return [linkHash, userId, purpose, address, passwordDigest, madeAt, expiresAt]
}

export const INSERT_LINK = insertInto("one_time_link", linkColumns)

export const END_LINK = "DELETE FROM one_time_link WHERE link_hash = ?"

export const END_LINKS = "DELETE FROM one_time_link WHERE user_id = ? AND purpose = ? AND made_at >= ?"
