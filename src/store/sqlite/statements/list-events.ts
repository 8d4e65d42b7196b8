/** The audit trail, newest first. Indexes find older events. The newest events have no index, so they are scanned. */
import type { EventKind } from "../../../model/event.rules.ts"
import { DAY } from "../../../kernel/time.ts"
import type { EventFilter, Page, RecordedEvent } from "../../list-shapes.ts"
import type { Connection } from "../engine/connection.ts"
import { SEGMENT } from "./new-events.ts"
import { eventColumns, eventOf, type EventRow } from "../../codecs/event-row.ts"
import { Where } from "../../statements/where.ts"

/** This number is larger than the id of any event. */
const NO_ID = Number.MAX_SAFE_INTEGER

type Filter = EventFilter & {
  /** The beginning of the event's detail. */
  readonly detailBegins?: string
}

/** Lists events. `after` is the last id of the previous page. */
export function listEvents(connection: Connection, filter: Filter, page: Page): RecordedEvent[] {
  const events = newEvents(connection, filter, page)
  const missing = page.limit - events.length
  return missing <= 0
    ? events
    : [...events, ...indexedEvents(connection, filter, { ...page, limit: missing })]
}

function newEvents(
  connection: Connection,
  { kinds, userId, clientId, tokenId, since, until, detailBegins }: Filter,
  { after, limit }: Page,
): RecordedEvent[] {
  const where = new Where()
  if (after !== undefined) where.add("id < ?", Number(after))
  where.is("token_id", tokenId)
  where.is("user_id", userId)
  where.is("client_id", clientId)
  kindIn(where, "kind", kinds)
  if (since !== undefined) where.add("at >= ?", since)
  if (until !== undefined) where.add("at < ?", until)
  detailIs(where, detailBegins)
  return read(connection, "event_new", where, limit)
}

/**
 * Reads events through the index that usually matches the fewest rows. If only kinds are given, each kind is read as a
 * separate list, because an index sorts the rows of one kind by their ids. The lists are merged.
 */
function indexedEvents(connection: Connection, filter: Filter, page: Page): RecordedEvent[] {
  const { kinds, userId, clientId, tokenId } = filter
  const bounds = boundsOf(connection, filter, page)
  if (userId !== undefined && tokenId === undefined)
    return eventsOfAccount(connection, { ...filter, userId }, bounds, page.limit)
  const where = bounded(filter, bounds)
  // A plus sign prevents SQLite from using an index on this column. The index on apps also includes the kind.
  where.is("token_id", tokenId)
  where.is("+user_id", userId)
  where.is(tokenId === undefined ? "client_id" : "+client_id", clientId)
  if (tokenId !== undefined || clientId !== undefined) {
    kindIn(where, "+kind", kinds)
    return read(connection, "event_row", where, page.limit)
  }
  if (kinds === undefined) return read(connection, "event_row", where, page.limit)
  return [...new Set(kinds)]
    .flatMap((kind) => {
      const ofKind = bounded(filter, bounds)
      ofKind.is("kind", kind)
      return read(connection, "event_row", ofKind, page.limit)
    })
    .sort((a, b) => b.id - a.id)
    .slice(0, page.limit)
}

/** Reads the events of an account from the segments of its index. Stops when the page is full. */
function eventsOfAccount(
  connection: Connection,
  filter: Filter & { readonly userId: string },
  bounds: Bounds,
  limit: number,
): RecordedEvent[] {
  const where = bounded(filter, bounds)
  where.is("user_id", filter.userId)
  where.is("+client_id", filter.clientId)
  kindIn(where, "+kind", filter.kinds)
  const sql = `SELECT ${eventColumns} FROM event_row ${where.sql} AND id / ${SEGMENT} = ? ORDER BY id DESC LIMIT ?`
  const events: RecordedEvent[] = []
  for (const segment of segmentsOfAccount(connection, filter.userId, boundedByRows(connection, bounds))) {
    const rows = connection.all<EventRow>(sql, ...where.values, segment, limit - events.length)
    events.push(...rows.map(eventOf))
    if (events.length >= limit) break
  }
  return events
}

const SEGMENTS_TOGETHER = 16
const SEGMENTS_OF_ACCOUNT = `
  WITH RECURSIVE segment (number) AS (SELECT ? UNION ALL SELECT number - 1 FROM segment WHERE number > ?)
  SELECT number FROM segment
  WHERE EXISTS (SELECT 1 FROM event_row WHERE user_id = ? AND id / ${SEGMENT} = number) LIMIT ${SEGMENTS_TOGETHER}`

/** Yields the segments with events of the account, newest first. SQLite skips empty segments. */
function* segmentsOfAccount(
  connection: Connection,
  userId: string,
  { first, last }: { readonly first: number; readonly last: number },
): Iterable<number> {
  for (let next = last; next >= first;) {
    const found = connection.all<{ number: number }>(SEGMENTS_OF_ACCOUNT, next, first, userId)
    for (const { number } of found) {
      yield number
      next = number - 1
    }
    if (found.length < SEGMENTS_TOGETHER) return
  }
}

/** Only ids between `above` and `below` can match. The times are checked afterwards. */
type Bounds = { readonly above: number; readonly below: number }

const LAST_BEFORE = "SELECT id FROM event_row WHERE at < ? ORDER BY at DESC, id DESC LIMIT 1"
const FIRST_FROM = "SELECT id FROM event_row WHERE at >= ? ORDER BY at, id LIMIT 1"
const ENDS = "SELECT (SELECT min(id) FROM event_row) AS first, (SELECT max(id) FROM event_row) AS last"

/**
 * Returns the bounds of the ids. Ids and times increase together, unless a clock was set. The ids of one more day
 * before and after are therefore included.
 */
function boundsOf(connection: Connection, { since, until }: EventFilter, { after }: Page): Bounds {
  const idOf = (sql: string, at: number) => connection.one<{ id: number }>(sql, at)?.id
  return {
    above: since === undefined ? 0 : (idOf(LAST_BEFORE, since - DAY) ?? 0),
    below: Math.min(
      after === undefined ? NO_ID : Number(after),
      until === undefined ? NO_ID : (idOf(FIRST_FROM, until + DAY) ?? NO_ID),
    ),
  }
}

function boundedByRows(connection: Connection, { above, below }: Bounds) {
  const ends = connection.one<{ first: number | null; last: number | null }>(ENDS)
  return {
    first: Math.floor(Math.max(above + 1, ends?.first ?? 0) / SEGMENT),
    last: Math.floor(Math.min(below - 1, ends?.last ?? -1) / SEGMENT),
  }
}

function bounded({ since, until, detailBegins }: Filter, { above, below }: Bounds): Where {
  const where = new Where()
  if (above > 0) where.add("id > ?", above)
  if (below !== NO_ID) where.add("id < ?", below)
  if (since !== undefined) where.add("+at >= ?", since)
  if (until !== undefined) where.add("+at < ?", until)
  detailIs(where, detailBegins)
  return where
}

function detailIs(where: Where, begins: string | undefined): void {
  if (begins !== undefined) where.add("instr(detail, ?) = 1", begins)
}

function kindIn(where: Where, column: "kind" | "+kind", kinds: readonly EventKind[] | undefined): void {
  if (kinds !== undefined) where.add(`${column} IN (${kinds.map(() => "?").join(", ")})`, ...kinds)
}

function read(
  connection: Connection,
  table: "event_row" | "event_new",
  where: Where,
  limit: number,
): RecordedEvent[] {
  const sql = `SELECT ${eventColumns} FROM ${table} ${where.sql} ORDER BY id DESC LIMIT ?`
  return connection.all<EventRow>(sql, ...where.values, limit).map(eventOf)
}
