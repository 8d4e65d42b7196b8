/** Deletes the events of self-registrations after which nothing happened. Several nodes can run this at once. */
import {
  dueEvents,
  registrationEvents,
  type RegistrationEvent,
  unusedIds,
} from "../../statements/registration-events.ts"
import type { Database } from "../driver/database.ts"

export async function sweepRegistrations(
  database: Database,
  upTo: number,
  after: number,
  limit: number,
): Promise<number> {
  const next = await database.read.one<{ at: number }>(NEXT, after)
  if (next === null || next.at > upTo) return 0
  const due = dueEvents(await database.read.all<RegistrationEvent>(EVENTS, after, limit), upTo)
  await database.write((writer) => writer.run(DELETE, unusedIds(due)))
  return due.at(-1)?.id ?? 0
}

const EVENTS = registrationEvents("event")
const NEXT = "SELECT at FROM event WHERE kind = 'app-registered' AND id > ? ORDER BY id LIMIT 1"
const DELETE = "DELETE FROM event WHERE id IN (SELECT value::bigint FROM json_array_elements_text(?::json))"
