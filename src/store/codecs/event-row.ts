import type { Event } from "../../model/event.rules.ts"
import type { RecordedEvent } from "../list-shapes.ts"
import { type Columns, columnText, decode, type RowOf } from "./columns.ts"
import type { Value } from "./value.ts"

const columns = {
  id: "id",
  at: "at",
  kind: "kind",
  userId: "user_id",
  clientId: "client_id",
  tokenId: "token_id",
  actorId: "actor_id",
  address: "address",
  detail: "detail",
} as const satisfies Columns<RecordedEvent>

export type EventRow = RowOf<RecordedEvent, typeof columns>
export const eventColumns = columnText(columns)
export const eventOf = (row: EventRow): RecordedEvent => decode(columns, row)

export const INSERT_EVENT = `
  INSERT INTO event (at, kind, user_id, client_id, token_id, actor_id, address, detail)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`

export function eventValues(event: Event): Value[] {
  const { at, kind, userId, clientId, tokenId, actorId, address, detail } = event
  return [at, kind, userId, clientId, tokenId, actorId, address, detail]
}
