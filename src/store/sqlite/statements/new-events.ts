/**
 * Stores new events. An event is appended to `event_new`, which has no index. After every `EVENTS_PER_BATCH` events, a
 * batch moves to `event_row`, which has five indexes. The view `event` joins both tables.
 *
 * Ids are unique and increase. Every new event has a larger id than every indexed event. If `event_new` is empty, the
 * sequence of `event_row` has the last id, even of a deleted row.
 */
import type { Event } from "../../../model/event.rules.ts"
import { eventColumns, eventValues } from "../../codecs/event-row.ts"
import type { Connection } from "../engine/connection.ts"

/**
 * The number of events in a batch. Indexing a batch takes less than ten milliseconds. It writes about a hundred pages,
 * most of them of the index by account. `SEGMENT` limits the number of pages.
 */
const EVENTS_PER_BATCH = 1024

/** The number of ids in one segment of the index `event_of_account`. */
export const SEGMENT = 8192

const RECORD = `
  INSERT INTO event_new (at, kind, user_id, client_id, token_id, actor_id, address, detail, id)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1 + coalesce((SELECT max(id) FROM event_new),
    (SELECT seq FROM sqlite_sequence WHERE name = 'event_row'), 0))`
const INDEX = `INSERT INTO event_row (${eventColumns}) SELECT ${eventColumns} FROM event_new ORDER BY id`

/** Appends an event. Must run in the transaction of its change. */
export function recordEvent(connection: Connection, event: Event): void {
  const id = connection.insert(RECORD, ...eventValues(event))
  if (id % EVENTS_PER_BATCH === 0) indexNewEvents(connection)
}

/** Moves new events to the indexed table. Must run in a transaction. */
export function indexNewEvents(connection: Connection): void {
  connection.run(INDEX)
  connection.run("DELETE FROM event_new")
}
