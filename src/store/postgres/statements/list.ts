/** Lists rows page by page, in the order of their keys. */
import type { Account, Session } from "../../../model/account.rules.ts"
import type { UserId } from "../../../kernel/ids.ts"
import type { Client } from "../../../model/clients/client.rules.ts"
import type { Identity } from "../../../model/sign-in/identity.rules.ts"
import { IDLE_SECONDS } from "../../../kernel/limits.ts"
import { accountColumns, accountOf, type AccountRow } from "../../codecs/account-row.ts"
import { clientColumns, clientOf, type ClientRow } from "../../codecs/client-row.ts"
import {
  ACTIVE,
  OVER,
  credentialColumns,
  credentialOf,
  type CredentialRow,
} from "../../codecs/credential-row.ts"
import { takenAccountColumns, type TakenAccountRow, takenOf } from "../../codecs/taken-row.ts"
import type { Taken } from "../../../model/moved/import.rules.ts"
import { endedCredentialDeleteAfter } from "../../codecs/retention.ts"
import { identityColumns, identityOf, type IdentityRow } from "../../codecs/identity-row.ts"
import { sessionColumns, sessionOf, type SessionRow } from "../../codecs/session-row.ts"
import { ordered, Where } from "../../codecs/where.ts"
import type { AccountFilter, ClientFilter, CredentialFilter, HeldCredential, Page } from "../../store.ts"
import type { Reader } from "../driver/database.ts"
import { LedWhere } from "./where.ts"

export async function listAccounts(
  reader: Reader,
  page: Page,
  filter: AccountFilter = {},
): Promise<Account[]> {
  const where = new Where()
  // A literal value lets the planner use the partial index of service accounts.
  if (filter.type !== undefined) where.add(`type = '${filter.type}'`)
  where.is("owner_id", filter.ownerId)
  where.flag("admin", filter.admin)
  where.flag("enabled", filter.enabled)
  if (filter.nameBegins === undefined) where.page("user_id", page)
  else {
    where.add("username_key >= ? AND username_key < ? || chr(1114111)", filter.nameBegins, filter.nameBegins)
    if (page.after !== undefined)
      where.add("username_key > (SELECT username_key FROM account WHERE user_id = ?)", page.after)
  }
  const order = filter.nameBegins === undefined ? ordered("user_id", page) : "username_key"
  const sql = `SELECT ${accountColumns} FROM usable_account AS account ${where.sql} ORDER BY ${order} LIMIT ?`
  return (await reader.all<AccountRow>(sql, ...where.values, page.limit)).map(accountOf)
}

export async function listClients(reader: Reader, page: Page, filter: ClientFilter = {}): Promise<Client[]> {
  const where = new Where()
  where.is("owner_id", filter.ownerId)
  where.is("registered_by", filter.registeredBy)
  where.flag("verified", filter.verified)
  where.flag("enabled", filter.enabled)
  // The collation "C" ignores the case of ASCII letters only. For a pattern, the planner would expect few matches and
  // sort them. For a function, it reads the index in the order of the list and stops at the end of the page.
  if (filter.nameContains !== undefined)
    where.add(
      `strpos(lower(name COLLATE "C"), ?) > 0`,
      filter.nameContains.replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
    )
  where.page("client_id", page)
  const order = ordered("client_id", page)
  // The search reads only the index `client_list`. Whole rows are read only for one page.
  const found = `SELECT client_id FROM client ${where.sql} ORDER BY ${order} LIMIT ?`
  const sql = `SELECT ${clientColumns} FROM client WHERE client_id = ANY (ARRAY(${found})) ORDER BY ${order}`
  return (await reader.all<ClientRow>(sql, ...where.values, page.limit)).map(clientOf)
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
    reader.all<ClientRow>(NAMED_CLIENTS, different(rows.map((row) => row.client_id))),
    reader.all<AccountRow>(NAMED_ACCOUNTS, different(rows.map((row) => row.user_id))),
  ])
  const clientNamed = new Map(clients.map((row) => [row.client_id, clientOf(row)]))
  const accountNamed = new Map(accounts.map((row) => [row.user_id, accountOf(row)]))
  return rows.map((row) => ({
    credential: credentialOf(row),
    client: clientNamed.get(row.client_id) ?? null,
    account: accountNamed.get(row.user_id) ?? null,
  }))
}

const NAMED_CLIENTS = `SELECT ${clientColumns} FROM client WHERE client_id = ANY (?)`
const NAMED_ACCOUNTS = `SELECT ${accountColumns} FROM usable_account AS account WHERE user_id = ANY (?)`

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

export async function listSessions(reader: Reader, userId: UserId): Promise<Session[]> {
  const sql = `SELECT ${sessionColumns} FROM session WHERE user_id = ? ORDER BY created_at, session_hash`
  return (await reader.all<SessionRow>(sql, userId)).map(sessionOf)
}

export async function listSettings(reader: Reader): Promise<ReadonlyMap<string, string>> {
  const rows = await reader.all<{ key: string; value: string }>("SELECT key, value FROM setting ORDER BY key")
  return new Map(rows.map(({ key, value }) => [key, value]))
}

export async function listIdentities(reader: Reader, provider: string, page: Page): Promise<Identity[]> {
  const where = new Where()
  where.is("provider", provider)
  where.page("identity_hash", page)
  const sql = `SELECT ${identityColumns} FROM identity ${where.sql} ORDER BY ${ordered("identity_hash", page)} LIMIT ?`
  return (await reader.all<IdentityRow>(sql, ...where.values, page.limit)).map(identityOf)
}
