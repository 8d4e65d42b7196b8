/** The lists and counts that both engines read with the same statements. */
import type { ClientId, UserId } from "../../kernel/ids.ts"
import { SESSIONS_AT_MOST } from "../../kernel/account-limits.ts"
import { DAY } from "../../kernel/time.ts"
import type { Account, Session } from "../../model/account.rules.ts"
import type { Client } from "../../model/clients/client.rules.ts"
import type { ListedMail, MailBacklog } from "../../model/mail/mail.rules.ts"
import type { Identity } from "../../model/sign-in/identity.rules.ts"
import { type SealedRow, type SealedThing, sealedThings, storedKey } from "../../model/sealed.rules.ts"
import type { Tally } from "../../model/tally.rules.ts"
import { accountColumns, accountOf, type AccountRow } from "../codecs/account-row.ts"
import { clientColumns, clientOf, type ClientRow } from "../codecs/client-row.ts"
import {
  countedGroupColumns,
  countedGroupOf,
  membershipColumns,
  type MembershipRow,
} from "../codecs/accounts/group-row.ts"
import { identityColumns, identityOf, type IdentityRow } from "../codecs/accounts/identity-row.ts"
import type { Invitation } from "../../model/invitation.rules.ts"
import { invitationColumns, invitationOf, type InvitationRow } from "../codecs/mail/invitation-row.ts"
import * as mail from "../codecs/mail/mail-row.ts"
import { sessionColumns, sessionOf, type SessionRow } from "../codecs/session-row.ts"
import type { TallyRow } from "../codecs/tally-row.ts"
import type { Value } from "../codecs/value.ts"
import type { AccountFilter, ClientFilter, CountedGroup, Mark, Page, TallyQuery } from "../list-shapes.ts"
import { ordered, Where } from "./where.ts"

export type Query<T> = {
  readonly sql: string
  readonly values: readonly Value[]
  readonly of: (rows: readonly never[]) => T
}

const rowsOf =
  <Row, T>(of: (row: Row) => T) =>
  (rows: readonly Row[]): T[] =>
    rows.map(of)

/** One page of the rows of `table` that `where` selects, in the order of `key`. */
function pageOf<T>(
  table: string,
  columns: string,
  key: string,
  { where, page, of }: { readonly where: Where; readonly page: Page; readonly of: Query<T>["of"] },
): Query<T> {
  where.page(key, page)
  return {
    sql: `SELECT ${columns} FROM ${table} ${where.sql} ORDER BY ${ordered(key, page)} LIMIT ?`,
    values: [...where.values, page.limit],
    of,
  }
}

/** No name contains a character after this one. */
const LAST_CHARACTER = "\u{10FFFF}"

export function accountsQuery(page: Page, filter: AccountFilter = {}): Query<Account[]> {
  const where = new Where()
  // A literal value lets the engine use the partial index of service accounts.
  if (filter.type !== undefined) where.add(`type = '${filter.type}'`)
  where.is("owner_id", filter.ownerId)
  where.flag("admin", filter.admin)
  where.flag("enabled", filter.enabled)
  if (filter.group !== undefined)
    where.add("user_id IN (SELECT user_id FROM membership WHERE group_name = ?)", filter.group)
  const { nameBegins } = filter
  if (nameBegins === undefined) where.page("user_id", page)
  else {
    where.add("username_key >= ? AND username_key < ?", nameBegins, nameBegins + LAST_CHARACTER)
    if (page.after !== undefined)
      where.add("username_key > (SELECT username_key FROM account WHERE user_id = ?)", page.after)
  }
  const order = nameBegins === undefined ? ordered("user_id", page) : "username_key"
  return {
    sql: `SELECT ${accountColumns} FROM usable_account AS account ${where.sql} ORDER BY ${order} LIMIT ?`,
    values: [...where.values, page.limit],
    of: rowsOf<AccountRow, Account>(accountOf),
  }
}

/** How an engine searches names, and how it selects the rows whose keys a query returns. */
export type ClientSearch = {
  readonly contains: (text: string) => readonly [condition: string, value: string]
  readonly among: (query: string) => string
}

export function clientsQuery(page: Page, filter: ClientFilter = {}, search: ClientSearch): Query<Client[]> {
  const where = new Where()
  where.is("owner_id", filter.ownerId)
  where.is("registered_by", filter.registeredBy)
  where.flag("verified", filter.verified)
  where.flag("enabled", filter.enabled)
  if (filter.group !== undefined)
    where.add(
      "groups <> '' AND replace(' ' || groups || ' ', ' ' || ? || ' ', '') <> ' ' || groups || ' '",
      filter.group,
    )
  if (filter.nameContains !== undefined) where.add(...search.contains(filter.nameContains))
  where.page("client_id", page)
  const order = ordered("client_id", page)
  // The search reads only the index `client_list`. Whole rows are read only for one page.
  const found = `SELECT client_id FROM client ${where.sql} ORDER BY ${order} LIMIT ?`
  return {
    sql: `SELECT ${clientColumns} FROM client WHERE client_id ${search.among(found)} ORDER BY ${order}`,
    values: [...where.values, page.limit],
    of: rowsOf<ClientRow, Client>(clientOf),
  }
}

export function groupsQuery(page: Page, name?: string): Query<CountedGroup[]> {
  const where = new Where()
  where.is("name", name)
  return pageOf("account_group", countedGroupColumns, "name", { where, page, of: rowsOf(countedGroupOf) })
}

export function marksQuery(after: Mark, limit: number): Query<Mark[]> {
  return {
    sql: `SELECT ${membershipColumns} FROM membership
      WHERE provider <> '' AND (provider, group_name, user_id) > (?, ?, ?)
      ORDER BY provider, group_name, user_id LIMIT ?`,
    values: [after.provider, after.group, after.userId, limit],
    of: rowsOf(({ provider, group_name: group, user_id: userId }: MembershipRow) => ({
      provider,
      group,
      userId: userId as UserId,
    })),
  }
}

export function sessionsQuery(userId: UserId): Query<Session[]> {
  return {
    sql: `SELECT ${sessionColumns} FROM session WHERE user_id = ?
      ORDER BY seen_at DESC, session_hash LIMIT ${SESSIONS_AT_MOST}`,
    values: [userId],
    of: rowsOf<SessionRow, Session>(sessionOf),
  }
}

export function identitiesQuery(provider: string, page: Page): Query<Identity[]> {
  const where = new Where()
  where.is("provider", provider)
  const of = rowsOf<IdentityRow, Identity>(identityOf)
  return pageOf("identity", identityColumns, "identity_hash", { where, page, of })
}

export function invitationsQuery(page: Page): Query<Invitation[]> {
  const of = rowsOf<InvitationRow, Invitation>(invitationOf)
  return pageOf("invitation", invitationColumns, "invitation_id", { where: new Where(), page, of })
}

export const settingsQuery: Query<ReadonlyMap<string, string>> = {
  sql: "SELECT key, value FROM setting ORDER BY key",
  values: [],
  of: (rows: readonly { readonly key: string; readonly value: string }[]) =>
    new Map(rows.map(({ key, value }) => [key, value])),
}

export function sealedQuery(thing: SealedThing, after: string | null, limit: number): Query<SealedRow[]> {
  const { table, key, column } = sealedThings[thing]
  const where = new Where()
  where.add(`${column} IS NOT NULL`)
  if (after !== null) where.add(`${key} > ?`, storedKey(thing, after))
  return {
    sql: `SELECT ${key} AS key, ${column} AS text FROM ${table} ${where.sql} ORDER BY ${key} LIMIT ?`,
    values: [...where.values, limit],
    of: (rows: readonly { readonly key: string | number; readonly text: string }[]) =>
      rows.map((row) => ({ key: String(row.key), text: row.text })),
  }
}

export const mailBacklogQuery: Query<MailBacklog> = {
  sql: mail.MAIL_BACKLOG,
  values: [],
  of: ([row]: readonly mail.BacklogRow[]) => {
    if (row === undefined) throw new Error("a count returned no row")
    return mail.backlogOf(row)
  },
}

export function unsentMailsQuery(limit: number): Query<ListedMail[]> {
  return {
    sql: mail.UNSENT_MAILS,
    values: [limit],
    of: rowsOf<mail.MailRow, ListedMail>(mail.listedMailOf),
  }
}

export function talliesQuery({ grain, since, until, clientId }: TallyQuery): Query<Tally[]> {
  const where = new Where()
  where.is("grain", grain)
  // This condition is also in the index on apps. Its repetition lets the planner use the index.
  if (clientId !== undefined) where.add("client_id <> ''")
  if (clientId !== "every") where.is("client_id", clientId ?? "")
  where.add("at >= ? AND at < ?", since, until)
  return {
    sql: `SELECT client_id, at, name, count FROM tally ${where.sql}`,
    values: where.values,
    of: rowsOf(({ client_id: key, at, name, count }: TallyRow): Tally => {
      return { grain, at, name, clientId: key === "" ? null : (key as ClientId), count }
    }),
  }
}

/** One statement adds up this many days. */
const DAYS_TOGETHER = 7

/** The cast keeps a sum in PostgreSQL an integer. */
const TALLIES_OF_APPS = `
  SELECT client_id, name, CAST(sum(count) AS bigint) AS count FROM tally
  WHERE grain = 'day' AND at >= ? AND at < ? AND client_id <> '' GROUP BY client_id, name`

/** Adds up counts in the database, because a week of a thousand apps has fifty thousand rows. */
export function* talliesOfAppsQueries(since: number, until: number): Iterable<Query<Tally[]>> {
  for (let from = since; from < until; from += DAYS_TOGETHER * DAY) {
    yield {
      sql: TALLIES_OF_APPS,
      values: [from, Math.min(from + DAYS_TOGETHER * DAY, until)],
      of: rowsOf(({ client_id: clientId, name, count }: TallyRow): Tally => {
        return { grain: "day", at: since, name, clientId: clientId as ClientId, count }
      }),
    }
  }
}
