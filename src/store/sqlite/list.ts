/** Lists, a page at a time, by key. */
import type { Account, Session } from "../../core/account.ts"
import type { ClientId, UserId } from "../../core/brand.ts"
import type { Client } from "../../core/client.ts"
import type { EventKind } from "../../core/event.ts"
import type { CredentialFilter, HeldCredential, Page, RecordedEvent } from "../store.ts"
import type { Connection, Value } from "./connection.ts"
import { loadAccount, loadClient } from "./load.ts"
import { accountColumns, accountOf, type AccountRow } from "./rows/account-row.ts"
import { clientColumns, clientOf, type ClientRow } from "./rows/client-row.ts"
import { credentialColumns, credentialOf, type CredentialRow } from "./rows/credential-row.ts"
import { eventColumns, eventOf, type EventRow } from "./rows/event-row.ts"
import { sessionColumns, sessionOf, type SessionRow } from "./rows/session-row.ts"

export function listAccounts(connection: Connection, { after = "", limit }: Page): Account[] {
  const sql = `SELECT ${accountColumns} FROM account WHERE user_id > ? ORDER BY user_id LIMIT ?`
  return connection.all<AccountRow>(sql, after, limit).map(accountOf)
}

export function listClients(connection: Connection, { after = "", limit }: Page): Client[] {
  const sql = `SELECT ${clientColumns} FROM client WHERE client_id > ? ORDER BY client_id LIMIT ?`
  return connection.all<ClientRow>(sql, after, limit).map(clientOf)
}

/** Looks each app and each account up once a page. */
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

function credentialRows(
  connection: Connection,
  { userId, clientId }: CredentialFilter,
  { after = "", limit }: Page,
): CredentialRow[] {
  const conditions = ["token_id > ?"]
  const values: Value[] = [after]
  if (userId !== undefined) {
    conditions.push("user_id = ?")
    values.push(userId)
  }
  if (clientId !== undefined) {
    // The plus keeps this column's index out of it where the account's, which is the shorter list, serves.
    conditions.push(userId === undefined ? "client_id = ?" : "+client_id = ?")
    values.push(clientId)
  }
  const sql = `SELECT ${credentialColumns} FROM credential WHERE ${conditions.join(" AND ")} ORDER BY token_id LIMIT ?`
  return connection.all<CredentialRow>(sql, ...values, limit)
}

export function listSessions(connection: Connection, userId: UserId): Session[] {
  const sql = `SELECT ${sessionColumns} FROM session WHERE user_id = ? ORDER BY created_at, session_hash`
  return connection.all<SessionRow>(sql, userId).map(sessionOf)
}

export function listSettings(connection: Connection): ReadonlyMap<string, string> {
  const rows = connection.all<{ key: string; value: string }>("SELECT key, value FROM setting ORDER BY key")
  return new Map(rows.map(({ key, value }) => [key, value]))
}

/** Newest first; `after` is the id of the last one of the page before. */
export function listEvents(
  connection: Connection,
  kind: EventKind | undefined,
  { after, limit }: Page,
): RecordedEvent[] {
  const before = after === undefined ? Number.MAX_SAFE_INTEGER : Number(after)
  const rows =
    kind === undefined
      ? connection.all<EventRow>(
          `SELECT ${eventColumns} FROM event WHERE id < ? ORDER BY id DESC LIMIT ?`,
          before,
          limit,
        )
      : connection.all<EventRow>(
          `SELECT ${eventColumns} FROM event WHERE kind = ? AND id < ? ORDER BY id DESC LIMIT ?`,
          kind,
          before,
          limit,
        )
  return rows.map(eventOf)
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
