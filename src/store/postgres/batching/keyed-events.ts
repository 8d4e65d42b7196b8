/** Events that are written in one statement with many other rows, each only where the row that it tells of is written. */
import type { Event } from "../../../records/event.rules.ts"
import { eventColumns, eventValues } from "../../codecs/event-row.ts"
import { columnsOf, unnested } from "../driver/unnest.ts"

/** In the order of `eventValues`; the server gives the number. */
const EVENT = eventColumns.split(", ").filter((column) => column !== "id")
const KEYED_EVENT = ["of", ...EVENT]

/** The parameters of `recordEvents`. */
export function keyedEvents(of: readonly (readonly [key: string, events: readonly Event[]])[]): Buffer[] {
  const rows = of.flatMap(([key, events]) => events.map((event) => [key, ...eventValues(event)]))
  return columnsOf(KEYED_EVENT, rows)
}

/** Records the events whose key is the `key` of a row of `table`, in their order. */
export function recordEvents(table: string, key: string): string {
  return `
    INSERT INTO event (${EVENT.join(", ")})
    SELECT ${EVENT.map((column) => `event.${column}`).join(", ")}
    FROM ${unnested(KEYED_EVENT)} WITH ORDINALITY AS event (${KEYED_EVENT.join(", ")}, place)
    JOIN ${table} ON ${table}.${key} = event.of ORDER BY place`
}
