/** Lists rows page by page, in the order of their keys. */
import { IDLE_SECONDS } from "../../../kernel/limits.ts"
import { accountOf, type AccountRow } from "../../codecs/account-row.ts"
import { clientOf, type ClientRow } from "../../codecs/client-row.ts"
import {
  ACTIVE,
  OVER,
  credentialColumns,
  credentialOf,
  type CredentialRow,
} from "../../codecs/credential-row.ts"
import { takenAccountColumns, type TakenAccountRow, takenOf } from "../../codecs/import-row.ts"
import type { Taken } from "../../../model/moved/import.rules.ts"
import { endedCredentialDeleteAfter } from "../../codecs/retention.ts"
import type { ClientSearch } from "../../statements/queries.ts"
import { ordered } from "../../statements/where.ts"
import type { CredentialFilter, HeldCredential, Page } from "../../list-shapes.ts"
import type { Reader } from "../driver/database.ts"
import { ACCOUNTS, CLIENTS } from "./load.ts"
import { LedWhere } from "./where.ts"

/**
 * The collation "C" ignores the case of ASCII letters only. For a pattern, the planner would expect few matches and sort
 * them. For a function, it reads the index in the order of the list and stops at the end of the page.
 */
export const clientSearch: ClientSearch = {
  contains: (text) => [
    `strpos(lower(name COLLATE "C"), ?) > 0`,
    text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
  ],
  among: (query) => `= ANY (ARRAY(${query}))`,
}

/**
 * Lists credentials in two round trips on one view. The first reads the rows. The second reads each app and each
 * account once.
 */
export async function listCredentials(
  reader: Reader,
  filter: CredentialFilter,
  page: Page,
): Promise<HeldCredential[]> {
  const rows = await credentialRows(reader, filter, page)
  if (rows.length === 0) return []
  const [clients, accounts] = await Promise.all([
    reader.all<ClientRow>(CLIENTS, different(rows.map((row) => row.client_id))),
    reader.all<AccountRow>(ACCOUNTS, different(rows.map((row) => row.user_id))),
  ])
  const clientNamed = new Map(clients.map((row) => [row.client_id, clientOf(row)]))
  const accountNamed = new Map(accounts.map((row) => [row.user_id, accountOf(row)]))
  return rows.map((row) => ({
    credential: credentialOf(row),
    client: clientNamed.get(row.client_id) ?? null,
    account: accountNamed.get(row.user_id) ?? null,
  }))
}

function different(ids: readonly string[]): string[] {
  return [...new Set(ids)]
}

function credentialRows(
  reader: Reader,
  { userId, clientId, live, over }: CredentialFilter,
  page: Page,
): Promise<CredentialRow[]> {
  const where = new LedWhere()
  // The column whose index usually matches the fewest rows comes first.
  const led =
    userId !== undefined
      ? "user_id"
      : clientId !== undefined
        ? "client_id"
        : over !== undefined
          ? "gone_at"
          : null
  where.led("user_id", userId)
  if (led === "user_id") where.beside("client_id", clientId)
  else where.led("client_id", clientId)
  if (live !== undefined) where.add(ACTIVE, live, live - IDLE_SECONDS)
  if (over !== undefined) {
    where.add(led === "gone_at" ? "gone_at <= ?" : "gone_at + 0 <= ?", endedCredentialDeleteAfter(over))
    where.add(OVER, over, over - IDLE_SECONDS, over)
  }
  if (led !== "gone_at") where.page("token_id", page)
  else if (page.after !== undefined)
    where.add(
      "(gone_at, token_id) < (SELECT gone_at, token_id FROM credential WHERE token_id = ?)",
      page.after,
    )
  const inOrder = led === "gone_at" ? { ...page, newestFirst: true } : page
  const order = [...(led === null ? [] : [led]), "token_id"]
    .map((column) => ordered(column, inOrder))
    .join(", ")
  const sql = `SELECT ${credentialColumns} FROM credential ${where.sql} ORDER BY ${order} LIMIT ?`
  return reader.all<CredentialRow>(sql, ...where.values, page.limit)
}

/** Finds accounts and tokens by lists of keys, of finished imports and of others. */
export async function listTaken(
  reader: Reader,
  userIds: readonly string[],
  usernameKeys: readonly string[],
  tokenHashes: readonly string[],
): Promise<Taken> {
  const [accounts, removed, tokens] = await Promise.all([
    reader.all<TakenAccountRow>(TAKEN_ACCOUNTS, [...userIds], [...usernameKeys]),
    reader.all<{ user_id: string }>(TAKEN_IDS, [...userIds]),
    reader.all<{ token_hash: string }>(TAKEN_TOKENS, [...tokenHashes]),
  ])
  return takenOf(accounts, removed, tokens)
}

const TAKEN_ACCOUNTS = `
  SELECT ${takenAccountColumns} FROM account WHERE user_id = ANY (?)
  UNION SELECT ${takenAccountColumns} FROM account WHERE username_key = ANY (?)`
const TAKEN_IDS = "SELECT user_id FROM removed_account WHERE user_id = ANY (?)"
const TAKEN_TOKENS = "SELECT token_hash FROM imported_token WHERE token_hash = ANY (?)"
