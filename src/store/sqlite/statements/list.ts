/** Lists rows page by page, in the order of their keys. */
import type { ClientId, UserId } from "../../../kernel/ids.ts"
import { IDLE_SECONDS } from "../../../kernel/limits.ts"
import type { CredentialFilter, HeldCredential, Page } from "../../list-shapes.ts"
import type { Connection } from "../engine/connection.ts"
import { ACTIVE_ROW, neutralColumns, OVER_ROW } from "./credential-rows.ts"
import { deleteDay } from "./credential-table.ts"
import { loadAccount, loadClient } from "./load.ts"
import { numberOf } from "./numbers.ts"
import { rowidOf } from "./rowid.ts"
import { credentialOf, type CredentialRow } from "../../codecs/credential-row.ts"
import { takenAccountColumns, type TakenAccountRow, takenOf } from "../../codecs/import-row.ts"
import type { Taken } from "../../../model/moved/import.rules.ts"
import { endedCredentialDeleteAfter } from "../../codecs/retention.ts"
import type { ClientSearch } from "../../statements/queries.ts"
import { ordered, Where } from "../../statements/where.ts"

/** Only ASCII letters match in either case. */
export const clientSearch: ClientSearch = {
  contains: (text) => ["name LIKE ? ESCAPE '!'", `%${text.replace(/[!%_]/g, "!$&")}%`],
  among: (query) => `IN (${query})`,
}

/** Lists credentials. Each app and each account is looked up once for each page. */
export function listCredentials(
  connection: Connection,
  filter: CredentialFilter,
  page: Page,
): HeldCredential[] {
  const clientNamed = memo((clientId: ClientId) => loadClient(connection, clientId))
  const accountNamed = memo((userId: UserId) => loadAccount(connection, userId))
  return credentialRows(connection, filter, page).map((row) => ({
    credential: credentialOf(row),
    client: clientNamed(row.client_id as ClientId),
    account: accountNamed(row.user_id as UserId),
  }))
}

/** No account and no app has this number. */
const NO_NUMBER = 0

function credentialRows(
  connection: Connection,
  { userId, clientId, live, over }: CredentialFilter,
  page: Page,
): CredentialRow[] {
  const where = new Where()
  // The query uses the index that usually matches the fewest rows. A plus sign prevents SQLite from using an index on
  // this column.
  const isLedByEnd = userId === undefined && clientId === undefined && over !== undefined
  const number = (id: string | undefined) =>
    id === undefined ? undefined : (numberOf(connection, id) ?? NO_NUMBER)
  where.is("account", number(userId))
  where.is(userId === undefined ? "client" : "+client", number(clientId))
  if (live !== undefined) where.add(ACTIVE_ROW, live, live - IDLE_SECONDS)
  if (over !== undefined) {
    where.add(`${isLedByEnd ? "" : "+"}gone <= ?`, deleteDay(endedCredentialDeleteAfter(over)))
    where.add(OVER_ROW, over, over - IDLE_SECONDS, over)
  }
  const after = page.after === undefined ? undefined : rowidOf(connection, page.after)
  if (after !== undefined) {
    const before = isLedByEnd ? "(gone, id) < (SELECT gone, id FROM credential_row WHERE id = ?)" : "id < ?"
    where.add(isLedByEnd || page.newestFirst === true ? before : "id > ?", after)
  }
  const order = isLedByEnd ? "gone DESC, id DESC" : ordered("id", page)
  const sql = `SELECT ${neutralColumns} FROM credential_row ${where.sql} ORDER BY ${order} LIMIT ?`
  return connection.all<CredentialRow>(sql, ...where.values, page.limit)
}

/** Finds accounts and tokens by lists of keys, of finished imports and of others. */
export function listTaken(
  connection: Connection,
  userIds: readonly string[],
  usernameKeys: readonly string[],
  tokenHashes: readonly string[],
): Taken {
  const accounts = connection.all<TakenAccountRow>(
    TAKEN_ACCOUNTS,
    JSON.stringify(userIds),
    JSON.stringify(usernameKeys),
  )
  const removed = connection.all<{ user_id: string }>(TAKEN_IDS, JSON.stringify(userIds))
  const tokens = connection.all<{ token_hash: string }>(TAKEN_TOKENS, JSON.stringify(tokenHashes))
  return takenOf(accounts, removed, tokens)
}

const TAKEN_ACCOUNTS = `
  SELECT ${takenAccountColumns} FROM account WHERE user_id IN (SELECT value FROM json_each(?))
  UNION SELECT ${takenAccountColumns} FROM account WHERE username_key IN (SELECT value FROM json_each(?))`
const TAKEN_IDS = "SELECT user_id FROM removed_account WHERE user_id IN (SELECT value FROM json_each(?))"
const TAKEN_TOKENS =
  "SELECT token_hash FROM imported_token WHERE token_hash IN (SELECT value FROM json_each(?))"

function memo<K, V>(compute: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>()
  return (key) => {
    const value = known.get(key)
    if (value !== undefined) return value
    const computed = compute(key)
    known.set(key, computed)
    return computed
  }
}
