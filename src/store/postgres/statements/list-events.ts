/** The audit trail, newest first. */
import type { EventKind } from "../../../model/event.rules.ts"
import { DAY } from "../../../kernel/time.ts"
import { eventColumns, eventOf, type EventRow } from "../../codecs/event-row.ts"
import type { EventFilter, Page, RecordedEvent } from "../../list-shapes.ts"
import type { Reader } from "../driver/database.ts"
import { LedWhere } from "./where.ts"

/** This number is larger than the id of any event. */
const NO_ID = Number.MAX_SAFE_INTEGER

/**
 * Lists events. `after` is the last id of the previous page. Each kind of event is read as a separate list, because an
 * index sorts the rows of one kind by their ids. The lists share one round trip and are merged.
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
  // The first of these columns that is filtered usually matches the fewest rows, so its index is used.
  const [led] = columns.find(([, value]) => value !== undefined) ?? []
  for (const [column, value] of columns) {
    if (column === led) where.led(column, value)
    // The index on apps also includes the kind.
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
 * Limits the search by ids, because ids and times increase together. The clocks of nodes differ a little. The search
 * therefore includes the ids of one more day before and after, and then checks the times. `at + 0` prevents the planner
 * from using the index on `at`.
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
