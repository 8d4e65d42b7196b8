/** The audit trail, newest first. */
import type { EventKind } from "../../core/event.ts"
import { DAY } from "../../core/time.ts"
import type { EventFilter, Page, RecordedEvent } from "../store.ts"
import type { Connection } from "./connection.ts"
import { eventColumns, eventOf, type EventRow } from "../rows/event-row.ts"
import { Where } from "../rows/where.ts"

/** More than any event has. */
const NO_ID = Number.MAX_SAFE_INTEGER

/**
 * `after` is the id of the last one of the page before. Several kinds are several short lists, merged: an index leads to
 * the rows of one kind, and none to those of several in the order of their ids.
 */
export function listEvents(connection: Connection, filter: EventFilter, page: Page): RecordedEvent[] {
  const { kinds } = filter
  if (kinds === undefined) return eventsOf(connection, filter, undefined, page)
  return [...new Set(kinds)]
    .flatMap((kind) => eventsOf(connection, filter, kind, page))
    .sort((a, b) => b.id - a.id)
    .slice(0, page.limit)
}

function eventsOf(
  connection: Connection,
  filter: EventFilter,
  kind: EventKind | undefined,
  { after, limit }: Page,
): RecordedEvent[] {
  const { userId, clientId, tokenId, since, until } = filter
  const where = new Where()
  // One index serves: the one whose list is the shortest. The plus keeps the others out of it.
  const led = tokenId ?? userId ?? clientId
  where.is("token_id", tokenId)
  where.is(tokenId === undefined ? "user_id" : "+user_id", userId)
  where.is(tokenId === undefined && userId === undefined ? "client_id" : "+client_id", clientId)
  where.is(led === undefined ? "kind" : "+kind", kind)
  if (after !== undefined) where.add("id < ?", Number(after))
  // Ids and instants grow together but for a clock that was set: the ids of a day more on either side bound the search,
  // the instants decide.
  if (since !== undefined) {
    where.add(
      "id > coalesce((SELECT id FROM event WHERE at < ? ORDER BY at DESC, id DESC LIMIT 1), 0)",
      since - DAY,
    )
    where.add("+at >= ?", since)
  }
  if (until !== undefined) {
    where.add(
      "id < coalesce((SELECT id FROM event WHERE at >= ? ORDER BY at, id LIMIT 1), ?)",
      until + DAY,
      NO_ID,
    )
    where.add("+at < ?", until)
  }
  const sql = `SELECT ${eventColumns} FROM event ${where.sql} ORDER BY id DESC LIMIT ?`
  return connection.all<EventRow>(sql, ...where.values, limit).map(eventOf)
}
