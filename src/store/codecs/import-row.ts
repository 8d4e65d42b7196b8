import type { ClientId, Hash, TokenId, UserId } from "../../kernel/ids.ts"
import type { Import, ImportedToken } from "../../model/moved/import.rules.ts"
import { namesOf, namesText } from "./names.ts"
import { insertInto, upsertInto } from "./insert.ts"
import type { Value } from "./value.ts"

export type ImportRow = {
  readonly id: number
  readonly source: string
  readonly state: string
  readonly begun_at: number
  readonly seen_at: number
  readonly sealed_secret: string | null
}

export const importColumns =
  "import.id, import.source, import.state, import.begun_at, import.seen_at, import.sealed_secret"

export function importOf(row: ImportRow): Import {
  return {
    importId: row.id,
    source: row.source,
    state: row.state as Import["state"],
    begunAt: row.begun_at,
    seenAt: row.seen_at,
    sealedSecret: row.sealed_secret,
  }
}

/** Returns the values for `SET_IMPORT`, in their order. */
export function importValues(one: Import): Value[] {
  return [one.importId, one.source, one.state, one.begunAt, one.seenAt, one.sealedSecret]
}

export const SET_IMPORT = upsertInto(
  "import",
  "id",
  "id, source, state, begun_at, seen_at, sealed_secret",
  "state, seen_at",
)

export type ImportedTokenRow = {
  readonly token_hash: string
  readonly import_id: number
  readonly token_id: string
  readonly client_id: string
  readonly user_id: string
  readonly scope: string
  readonly ends_at: number
  readonly used_at: number | null
}

export const importedTokenColumns =
  "token_hash, import_id, token_id, client_id, user_id, scope, ends_at, used_at"

export function importedTokenOf(row: ImportedTokenRow): ImportedToken {
  return {
    hash: row.token_hash as Hash,
    importId: row.import_id,
    tokenId: row.token_id as TokenId,
    clientId: row.client_id as ClientId,
    userId: row.user_id as UserId,
    scope: namesOf(row.scope),
    endsAt: row.ends_at,
    usedAt: row.used_at,
  }
}

/** Returns the values in the order of `importedTokenColumns`. */
export function importedTokenValues(token: ImportedToken): Value[] {
  const { hash, importId, tokenId, clientId, userId, scope, endsAt, usedAt } = token
  return [hash, importId, tokenId, clientId, userId, namesText(scope), endsAt, usedAt]
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
