/** The audit trail, newest first. */
import type { EventKind } from "../../../records/event.rules.ts"
import { DAY } from "../../../kernel/time.ts"
import { eventColumns, eventOf, type EventRow } from "../../codecs/event-row.ts"
import type { EventFilter, Page, RecordedEvent } from "../../store.ts"
import type { Reader } from "../driver/database.ts"
import { LedWhere } from "./where.ts"

/** More than any event has. */
const NO_ID = Number.MAX_SAFE_INTEGER

/**
 * `after` is the id of the last one of the page before. Several kinds are several short lists, merged: an index leads to
 * the rows of one kind, and none to those of several in the order of their ids. All of them are one round trip.
 */
export async function listEvents(reader: Reader, filter: EventFilter, page: Page): Promise<RecordedEvent[]> {
  const { kinds } = filter
  // No event has such an id.
  if (page.after !== undefined && !Number.isSafeInteger(Number(page.after))) return []
  if (kinds === undefined) return eventsOf(reader, filter, undefined, page)
  const lists = await Promise.all([...new Set(kinds)].map((kind) => eventsOf(reader, filter, kind, page)))
  return lists
    .flat()
    .sort((a, b) => b.id - a.id)
    .slice(0, page.limit)
}

async function eventsOf(
  reader: Reader,
  filter: EventFilter,
  kind: EventKind | undefined,
  { after, limit }: Page,
): Promise<RecordedEvent[]> {
  const { userId, clientId, tokenId, since, until } = filter
  const columns: readonly [column: string, value: string | undefined][] = [
    ["token_id", tokenId],
    ["user_id", userId],
    ["client_id", clientId],
    ["kind", kind],
  ]
  const where = new LedWhere()
  // The list whose rows are the fewest, as a rule, leads.
  const [led] = columns.find(([, value]) => value !== undefined) ?? []
  for (const [column, value] of columns) {
    if (column === led) where.led(column, value)
    // The index on apps has the kinds in it.
    else if (column === "kind" && led === "client_id") where.is(column, value)
    else where.beside(column, value)
  }
  if (after !== undefined) where.add("id < ?", Number(after))
  bound(where, since, until)
  const order = led === undefined ? "id DESC" : `${led} DESC, id DESC`
  const sql = `SELECT ${eventColumns} FROM event ${where.sql} ORDER BY ${order} LIMIT ?`
  return (await reader.all<EventRow>(sql, ...where.values, limit)).map(eventOf)
}

/**
 * Ids and instants grow together but for a clock that was set, and for what several nodes write at once: the ids of a day
 * more on either side bound the search, the instants decide; the sum keeps the index on them out of it.
 */
function bound(where: LedWhere, since: number | undefined, until: number | undefined): void {
  if (since !== undefined) {
    where.add(
      "id > coalesce((SELECT id FROM event WHERE at < ? ORDER BY at DESC, id DESC LIMIT 1), 0)",
      since - DAY,
    )
    where.add("at + 0 >= ?", since)
  }
  if (until !== undefined) {
    where.add(
      "id < coalesce((SELECT id FROM event WHERE at >= ? ORDER BY at, id LIMIT 1), ?)",
      until + DAY,
      NO_ID,
    )
    where.add("at + 0 < ?", until)
  }
}
