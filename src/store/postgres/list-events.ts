/** The audit trail, newest first. */
import { DAY } from "../../core/time.ts"
import { eventColumns, eventOf, type EventRow } from "../rows/event-row.ts"
import { Where } from "../rows/where.ts"
import type { EventFilter, Page, RecordedEvent } from "../store.ts"
import type { Reader } from "./database.ts"

/** More than any event has. */
const NO_ID = Number.MAX_SAFE_INTEGER

/**
 * `after` is the id of the last one of the page before. Several kinds are several short lists, merged: an index leads to
 * the rows of one kind, and none to those of several in the order of their ids.
 */
export async function listEvents(reader: Reader, filter: EventFilter, page: Page): Promise<RecordedEvent[]> {
  const kinds = filter.kinds === undefined ? undefined : [...new Set(filter.kinds)]
  if (kinds?.length === 0) return []
  const where = matching(filter, page)
  const [only] = kinds ?? []
  const isMerged = kinds !== undefined && kinds.length > 1
  if (isMerged) where.add("kind = wanted.kind")
  else where.is("kind", only)
  const list = `SELECT ${eventColumns} FROM event ${where.sql} ORDER BY id DESC LIMIT ?`
  const rows = isMerged
    ? await reader.all<EventRow>(
        `SELECT found.* FROM unnest(CAST(? AS text[])) AS wanted (kind)
         CROSS JOIN LATERAL (${list}) AS found ORDER BY id DESC LIMIT ?`,
        kinds,
        ...where.values,
        page.limit,
        page.limit,
      )
    : await reader.all<EventRow>(list, ...where.values, page.limit)
  return rows.map(eventOf)
}

function matching({ userId, clientId, tokenId, since, until }: EventFilter, { after }: Page): Where {
  const where = new Where()
  where.is("token_id", tokenId)
  where.is("user_id", userId)
  where.is("client_id", clientId)
  if (after !== undefined) where.add("id < ?", Number(after))
  // Ids and instants grow together but for a clock that was set, and for what several nodes write at once: the ids of a
  // day more on either side bound the search, the instants decide.
  if (since !== undefined) {
    where.add(
      "id > coalesce((SELECT id FROM event WHERE at < ? ORDER BY at DESC, id DESC LIMIT 1), 0)",
      since - DAY,
    )
    where.add("at >= ?", since)
  }
  if (until !== undefined) {
    where.add(
      "id < coalesce((SELECT id FROM event WHERE at >= ? ORDER BY at, id LIMIT 1), ?)",
      until + DAY,
      NO_ID,
    )
    where.add("at < ?", until)
  }
  return where
}
