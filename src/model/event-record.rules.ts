/** The JSON form of an event in the API, in exported files and on the command line. */
import type { ClientId, UserId } from "../kernel/ids.ts"
import type { Event, EventKind } from "./event.rules.ts"

/** The names of accounts and apps by id. Removed accounts and apps are missing. */
export type Names = {
  readonly accounts: ReadonlyMap<UserId, string>
  readonly apps: ReadonlyMap<ClientId, string>
}

export type EventRecord = {
  readonly id: number
  readonly at: number
  readonly kind: EventKind
  readonly user_id: string | null
  readonly username: string | null
  readonly client_id: string | null
  readonly client_name: string | null
  readonly token_id: string | null
  /** The account that caused the event. It is missing if the same account is in `user_id`. */
  readonly actor_id: string | null
  readonly actor: string | null
  readonly address: string | null
  readonly detail: string | null
}

/** Builds the record with current names. A removed account or app has the name null. */
export function eventRecord(
  recorded: Event & { readonly id: number },
  { accounts, apps }: Names,
): EventRecord {
  const { id, at, kind, userId, clientId, tokenId, actorId, address, detail } = recorded
  return {
    id,
    at,
    kind,
    user_id: userId,
    username: userId === null ? null : (accounts.get(userId) ?? null),
    client_id: clientId,
    client_name: clientId === null ? null : (apps.get(clientId) ?? null),
    token_id: tokenId,
    actor_id: actorId,
    actor: actorId === null ? null : (accounts.get(actorId) ?? null),
    address,
    detail,
  }
}
