/** Database writes for new and changed apps. */
import type { Change } from "../model/change.rules.ts"
import type { Client, Icon } from "../model/clients/client.rules.ts"
import { type Actor, event, type EventKind } from "../model/event.rules.ts"

/** A new app, and its secret in clear text. */
export type NewClient = { readonly client: Client; readonly secret: string | null }

/** Stores a new app and its icon, and records that it was registered. */
export function addedApp(client: Client, icon: Icon | null, now: number, from: Actor): readonly Change[] {
  const { clientId } = client
  return [
    { change: "clientAdded", client },
    ...(icon === null ? [] : [{ change: "iconSet", clientId, icon } as const]),
    recordedApp("app-registered", client, now, from),
  ]
}

export function recordedApp(
  kind: EventKind,
  { clientId, ownerId }: Client,
  now: number,
  { address, actorId }: Actor,
  detail: string | null = null,
): Change {
  const facts = { clientId, userId: ownerId, actorId, address, detail }
  return { change: "eventRecorded", event: event(kind, now, facts) }
}
