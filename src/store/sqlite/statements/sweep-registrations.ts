/** Deletes the events of self-registrations after which nothing happened. */
import {
  dueEvents,
  registrationEvents,
  type RegistrationEvent,
  unusedIds,
} from "../../statements/registration-events.ts"
import type { Connection } from "../engine/connection.ts"
import { indexNewEvents } from "./new-events.ts"

export function sweepRegistrations(
  connection: Connection,
  upTo: number,
  after: number,
  limit: number,
): number {
  const next = connection.one<{ at: number }>(NEXT, after) ?? connection.one<{ at: number }>(NEXT_NEW, after)
  if (next === null || next.at > upTo) return 0
  return connection.transaction(() => {
    // Only the indexed events are searched for others of an app.
    indexNewEvents(connection)
    const due = dueEvents(connection.all<RegistrationEvent>(EVENTS, after, limit), upTo)
    connection.run("DELETE FROM event_row WHERE id IN (SELECT value FROM json_each(?))", unusedIds(due))
    return due.at(-1)?.id ?? 0
  })
}

const EVENTS = registrationEvents("event_row")
const NEXT = nextOf("event_row")
const NEXT_NEW = nextOf("event_new")

function nextOf(table: string): string {
  return `SELECT at FROM ${table} WHERE kind = 'app-registered' AND id > ? ORDER BY id LIMIT 1`
}
