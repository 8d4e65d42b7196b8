/**
 * The audit trail as it is written. An event is appended to `event_new`, which has no index; every so often one carries all
 * of them into `event_row`, where five indexes take each batch in the order of its ids. The view `event` is both.
 *
 * The ids are the order of both tables: whatever is new has a larger one than whatever is indexed. None is given twice:
 * where nothing is new, SQLite's own sequence of `event_row` tells the last, also of rows that are gone.
 */
import type { Event } from "../../../records/event.rules.ts"
import { eventColumns, eventValues } from "../../codecs/event-row.ts"
import type { Connection } from "../engine/connection.ts"

/**
 * An index by account has as many pages as its `SEGMENT` events fill, about a hundred on the average, and most of them are
 * written with every batch. A batch takes under ten milliseconds.
 */
const EVENTS_PER_BATCH = 1024

/** `event_of_account` starts again after this many ids. */
export const SEGMENT = 8192

const RECORD = `
  INSERT INTO event_new (at, kind, user_id, client_id, token_id, actor_id, address, detail, id)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1 + coalesce((SELECT max(id) FROM event_new),
    (SELECT seq FROM sqlite_sequence WHERE name = 'event_row'), 0))`
const INDEX = `INSERT INTO event_row (${eventColumns}) SELECT ${eventColumns} FROM event_new ORDER BY id`

/** Appends an event. Inside the transaction of the change that it tells of. */
export function recordEvent(connection: Connection, event: Event): void {
  const id = connection.insert(RECORD, ...eventValues(event))
  if (id % EVENTS_PER_BATCH === 0) indexNewEvents(connection)
}

/** Carries what is new into the indexes. Inside a transaction. */
export function indexNewEvents(connection: Connection): void {
  connection.run(INDEX)
  connection.run("DELETE FROM event_new")
}
