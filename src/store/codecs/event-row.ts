import type { ClientId, TokenId, UserId } from "../../kernel/ids.ts"
import type { Event, EventKind } from "../../model/event.rules.ts"
import type { RecordedEvent } from "../store.ts"
import type { Value } from "./value.ts"

export type EventRow = {
  readonly id: number
  readonly at: number
  readonly kind: string
  readonly user_id: string | null
  readonly client_id: string | null
  readonly token_id: string | null
  readonly actor_id: string | null
  readonly address: string | null
  readonly detail: string | null
}

export const eventColumns = "id, at, kind, user_id, client_id, token_id, actor_id, address, detail"

export function eventOf(row: EventRow): RecordedEvent {
  return {
    id: row.id,
    at: row.at,
    kind: row.kind as EventKind,
    userId: row.user_id as UserId | null,
    clientId: row.client_id as ClientId | null,
    tokenId: row.token_id as TokenId | null,
    actorId: row.actor_id as UserId | null,
    address: row.address,
    detail: row.detail,
  }
}

export const INSERT_EVENT = `
  INSERT INTO event (at, kind, user_id, client_id, token_id, actor_id, address, detail)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`

export function eventValues(event: Event): Value[] {
  const { at, kind, userId, clientId, tokenId, actorId, address, detail } = event
  return [at, kind, userId, clientId, tokenId, actorId, address, detail]
}
