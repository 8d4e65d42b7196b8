/** The JSON form of an event in the API, in exported files and on the command line. */
import type { ClientId, UserId } from "../kernel/ids.ts"
import type { Event, EventKind } from "../records/event.rules.ts"

/** Names by id. Removed accounts and apps are absent. */
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
  /** The account that caused the event, if it is not `user_id`. */
  readonly actor_id: string | null
  readonly actor: string | null
  readonly address: string | null
  readonly detail: string | null
}

/** Builds the record with current names. The name of a removed account or app is null. */
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
