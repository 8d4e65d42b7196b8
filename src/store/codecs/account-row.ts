import type { Account, AccountType } from "../../model/account.rules.ts"
import type { UserId } from "../../kernel/ids.ts"
import { insertInto } from "./insert.ts"
import { namesOf } from "./names.ts"
import type { Value } from "./value.ts"

export type AccountRow = {
  readonly user_id: string
  readonly username: string
  readonly username_key: string
  /** The hash is empty for a service account. */
  readonly password_hash: string
  readonly admin: number
  readonly enabled: number
  readonly created_at: number
  readonly type: string
  readonly owner_id: string | null
  readonly language: string | null
  readonly groups: string
}

export const accountColumns =
  "account.user_id, account.username, account.username_key, account.password_hash, account.admin, " +
  "account.enabled, account.created_at, account.type, account.owner_id, account.language, account.groups"

/**
 * A name is taken while an import stages its account. The account then counts as disabled. Its other queries use the
 * view `usable_account`, which leaves it out.
 */
export const namedAccountColumns = accountColumns.replace(
  "account.enabled",
  `CASE WHEN account.import_id IS NULL
     OR EXISTS (SELECT 1 FROM import WHERE import.id = account.import_id AND state = 'finished')
     THEN account.enabled ELSE 0 END AS enabled`,
)

export function accountOf(row: AccountRow): Account {
  return {
    userId: row.user_id as UserId,
    type: row.type as AccountType,
    ownerId: row.owner_id as UserId | null,
    username: row.username,
    usernameKey: row.username_key,
    passwordHash: row.password_hash === "" ? null : row.password_hash,
    admin: row.admin === 1,
    groups: namesOf<string>(row.groups),
    enabled: row.enabled === 1,
    createdAt: row.created_at,
    language: row.language,
  }
}

/** Returns the values for `INSERT_ACCOUNT` and `UPDATE_ACCOUNT`, in their order. */
export function accountValues(account: Account): Value[] {
  return [
    account.username,
    account.usernameKey,
    account.passwordHash ?? "",
    account.admin ? 1 : 0,
    account.enabled ? 1 : 0,
    account.createdAt,
    account.type,
    account.ownerId,
    account.language,
    account.userId,
  ]
}

const written =
  "username, username_key, password_hash, admin, enabled, created_at, type, owner_id, language, user_id"

export const INSERT_ACCOUNT = insertInto("account", written)

export const INSERT_STAGED_ACCOUNT = insertInto("account", `${written}, import_id`)

/** No later account may have this id, because it may still be stored elsewhere. */
export const KEEP_REMOVED_ID = "INSERT INTO removed_account (user_id) VALUES (?) ON CONFLICT DO NOTHING"

export const UPDATE_ACCOUNT = `
  UPDATE account SET username = ?, username_key = ?, password_hash = ?, admin = ?, enabled = ?, created_at = ?,
    type = ?, owner_id = ?, language = ?
  WHERE user_id = ?`
