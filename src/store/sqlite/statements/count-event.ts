/**
 * Replaces the detail of a series of events. Triggers refuse updates, so the event is deleted and inserted again with
 * its id.
 */
import type { Change } from "../../../model/change.rules.ts"
import { eventColumns, eventValues } from "../../codecs/event-row.ts"
import type { Connection } from "../engine/connection.ts"
import { listEvents } from "./list-events.ts"
import { recordEvent } from "./new-events.ts"

type Counted = Extract<Change, { change: "eventCounted" }>

/** Writes `event`, or only its detail. Runs in the transaction of the change. */
export function countEvent(connection: Connection, event: Counted["event"], series: string): void {
  const { userId, kind, detail } = event
  const filter = { userId, kinds: [kind], detailBegins: series }
  const [counted] = listEvents(connection, filter, { limit: 1 })
  if (counted === undefined) return recordEvent(connection, event)
  for (const table of ["event_new", "event_row"]) {
    if (connection.run(`DELETE FROM ${table} WHERE id = ?`, counted.id) === 0) continue
    const insert = `INSERT INTO ${table} (${eventColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`
    connection.run(insert, counted.id, ...eventValues({ ...counted, detail }))
  }
}
