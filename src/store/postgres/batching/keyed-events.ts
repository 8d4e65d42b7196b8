/** Stores events in the same statement as other rows. An event is stored only if its row is written. */
import type { Event } from "../../../model/event.rules.ts"
import { eventColumns, eventValues } from "../../codecs/event-row.ts"
import { columnsOf, unnested } from "../driver/unnest.ts"

/** The columns, in the order of `eventValues`. The server assigns the id. */
const EVENT = eventColumns.split(", ").filter((column) => column !== "id")
const KEYED_EVENT = ["of", ...EVENT]

/** Returns the parameters of `recordEvents`. */
export function keyedEvents(of: readonly (readonly [key: string, events: readonly Event[]])[]): Buffer[] {
  const rows = of.flatMap(([key, events]) => events.map((event) => [key, ...eventValues(event)]))
  return columnsOf(KEYED_EVENT, rows)
}

/**
 * Returns SQL that stores events. An event is stored if its key equals the column `key` of a row in `table`. The events
 * keep their order.
 */
export function recordEvents(table: string, key: string): string {
  return `
    INSERT INTO event (${EVENT.join(", ")})
    SELECT ${EVENT.map((column) => `event.${column}`).join(", ")}
    FROM ${unnested(KEYED_EVENT)} WITH ORDINALITY AS event (${KEYED_EVENT.join(", ")}, place)
    JOIN ${table} ON ${table}.${key} = event.of ORDER BY place`
}
