/** Lists rows page by page, in the order of their keys. */
import type { Account, Session } from "../../../model/account.rules.ts"
import type { ClientId, UserId } from "../../../kernel/ids.ts"
import type { Client } from "../../../model/clients/client.rules.ts"
import type { Identity } from "../../../model/sign-in/identity.rules.ts"
import { IDLE_SECONDS } from "../../../kernel/limits.ts"
import type { AccountFilter, ClientFilter, CredentialFilter, HeldCredential, Page } from "../../store.ts"
import type { Connection } from "../engine/connection.ts"
import { ACTIVE_ROW, deleteDay, neutralColumns, OVER_ROW } from "./credential-table.ts"
import { loadAccount, loadClient } from "./load.ts"
import { numberOf } from "./numbers.ts"
import { rowidOf } from "./rowid.ts"
import { accountColumns, accountOf, type AccountRow } from "../../codecs/account-row.ts"
import { clientColumns, clientOf, type ClientRow } from "../../codecs/client-row.ts"
import { credentialOf, type CredentialRow } from "../../codecs/credential-row.ts"
import { takenAccountColumns, type TakenAccountRow, takenOf } from "../../codecs/taken-row.ts"
import type { Taken } from "../../../model/moved/import.rules.ts"
import { endedCredentialDeleteAfter } from "../../codecs/retention.ts"
import { identityColumns, identityOf, type IdentityRow } from "../../codecs/identity-row.ts"
import { sessionColumns, sessionOf, type SessionRow } from "../../codecs/session-row.ts"
import { ordered, Where } from "../../codecs/where.ts"

export function listAccounts(connection: Connection, page: Page, filter: AccountFilter = {}): Account[] {
  const where = new Where()
  // A literal value lets SQLite use the partial index of service accounts.
  if (filter.type !== undefined) where.add(`type = '${filter.type}'`)
  where.is("owner_id", filter.ownerId)
  where.flag("admin", filter.admin)
  where.flag("enabled", filter.enabled)
  if (filter.nameBegins === undefined) where.page("user_id", page)
  else {
    where.add("username_key >= ? AND username_key < ? || char(1114111)", filter.nameBegins, filter.nameBegins)
    if (page.after !== undefined)
      where.add("username_key > (SELECT username_key FROM account WHERE user_id = ?)", page.after)
  }
  const order = filter.nameBegins === undefined ? ordered("user_id", page) : "username_key"
  const sql = `SELECT ${accountColumns} FROM usable_account AS account ${where.sql} ORDER BY ${order} LIMIT ?`
  return connection.all<AccountRow>(sql, ...where.values, page.limit).map(accountOf)
}

export function listClients(connection: Connection, page: Page, filter: ClientFilter = {}): Client[] {
  const where = new Where()
  where.is("owner_id", filter.ownerId)
  where.is("registered_by", filter.registeredBy)
  where.flag("verified", filter.verified)
  where.flag("enabled", filter.enabled)
  if (filter.nameContains !== undefined)
    where.add("name LIKE ? ESCAPE '!'", `%${filter.nameContains.replace(/[!%_]/g, "!$&")}%`)
  where.page("client_id", page)
  const order = ordered("client_id", page)
  // The search reads only the index `client_list`. Whole rows are read only for one page.
  const found = `SELECT client_id FROM client ${where.sql} ORDER BY ${order} LIMIT ?`
  const sql = `SELECT ${clientColumns} FROM client WHERE client_id IN (${found}) ORDER BY ${order}`
  return connection.all<ClientRow>(sql, ...where.values, page.limit).map(clientOf)
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

export function listSessions(connection: Connection, userId: UserId): Session[] {
  const sql = `SELECT ${sessionColumns} FROM session WHERE user_id = ? ORDER BY created_at, session_hash`
  return connection.all<SessionRow>(sql, userId).map(sessionOf)
}

export function listSettings(connection: Connection): ReadonlyMap<string, string> {
  const rows = connection.all<{ key: string; value: string }>("SELECT key, value FROM setting ORDER BY key")
  return new Map(rows.map(({ key, value }) => [key, value]))
}

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

export function listIdentities(connection: Connection, provider: string, page: Page): Identity[] {
  const where = new Where()
  where.is("provider", provider)
  where.page("identity_hash", page)
  const sql = `SELECT ${identityColumns} FROM identity ${where.sql} ORDER BY ${ordered("identity_hash", page)} LIMIT ?`
  return connection.all<IdentityRow>(sql, ...where.values, page.limit).map(identityOf)
}
