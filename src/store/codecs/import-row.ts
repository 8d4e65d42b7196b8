import type { Import, ImportedToken, Taken } from "../../model/moved/import.rules.ts"
import { type Columns, columnText, decode, encode, type RowOf } from "./columns.ts"
import { namesOf, namesText } from "./names.ts"
import { insertInto, upsertInto } from "./insert.ts"
import type { Value } from "./value.ts"

const importing = {
  importId: "id",
  source: "source",
  state: "state",
  begunAt: "begun_at",
  seenAt: "seen_at",
  sealedSecret: "sealed_secret",
} as const satisfies Columns<Import>

export const importColumns = columnText(importing)
export const importOf = (row: RowOf<Import, typeof importing>): Import => decode(importing, row)
export const importValues = (one: Import): Value[] => encode(importing, one)

export const SET_IMPORT = upsertInto("import", "id", importColumns, "state, seen_at")

type StoredToken = Omit<ImportedToken, "scope"> & { readonly scope: string }

const token = {
  hash: "token_hash",
  importId: "import_id",
  tokenId: "token_id",
  clientId: "client_id",
  userId: "user_id",
  scope: "scope",
  endsAt: "ends_at",
  usedAt: "used_at",
} as const satisfies Columns<StoredToken>

export type ImportedTokenRow = RowOf<StoredToken, typeof token>
export const importedTokenColumns = columnText(token)

export function importedTokenOf(row: ImportedTokenRow): ImportedToken {
  return { ...decode<StoredToken, typeof token>(token, row), scope: namesOf(row.scope) }
}

export function importedTokenValues(of: ImportedToken): Value[] {
  return encode<StoredToken>(token, { ...of, scope: namesText(of.scope) })
}

export const INSERT_IMPORTED_TOKEN = insertInto("imported_token", importedTokenColumns)

export const USE_IMPORTED_TOKEN = "UPDATE imported_token SET used_at = ? WHERE token_hash = ?"

/** An app of the same id may be added again. It must not get the tokens. */
export const REMOVE_TOKENS_OF_APP = "DELETE FROM imported_token WHERE client_id = ?"

/** A token counts only if its import has finished. */
export const IS_OF_FINISHED =
  "EXISTS (SELECT 1 FROM import WHERE import.id = imported_token.import_id AND state = 'finished')"

export const OPEN_IMPORT = `SELECT ${importColumns} FROM import WHERE state <> 'finished' LIMIT 1`

/** These statements delete some rows of an import that has not finished. */
export const REMOVE_STAGED = [
  "DELETE FROM account WHERE user_id IN (SELECT user_id FROM account WHERE import_id = ? LIMIT ?)",
  "DELETE FROM imported_token WHERE token_hash IN (SELECT token_hash FROM imported_token WHERE import_id = ? LIMIT ?)",
] as const

/** Whether rows of an import are left. `?1` is the import. */
export const HAS_STAGED = `
  SELECT (SELECT count(*) FROM (SELECT 1 FROM account WHERE import_id = ?1 LIMIT 1) AS accounts) +
    (SELECT count(*) FROM (SELECT 1 FROM imported_token WHERE import_id = ?1 LIMIT 1) AS tokens) AS count`

export type TakenAccountRow = {
  readonly user_id: string
  readonly username_key: string
  readonly imported: number
}

export const takenAccountColumns = `
  user_id, username_key, CASE WHEN EXISTS
    (SELECT 1 FROM import WHERE import.id = account.import_id AND state = 'finished') THEN 1 ELSE 0 END AS imported`

export function takenOf(
  accounts: readonly TakenAccountRow[],
  removed: readonly { readonly user_id: string }[],
  tokens: readonly { readonly token_hash: string }[],
): Taken {
  return {
    accounts: accounts.map(({ user_id, username_key, imported }) => ({
      userId: user_id,
      usernameKey: username_key,
      isImported: imported === 1,
    })),
    removed: removed.map(({ user_id }) => user_id),
    tokens: tokens.map(({ token_hash }) => token_hash),
  }
}
