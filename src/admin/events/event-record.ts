/** The JSON form of an event in the API, in exported files and on the command line. */
import { type EventKind, eventKinds } from "../../model/event.rules.ts"
import {
  choice,
  EXAMPLE_ID,
  flag,
  idShape,
  instant,
  integer,
  orNull,
  type Parsed,
  record,
  text,
  usernameShape,
} from "../../platform/json/shape.rules.ts"
import type { Services } from "../../platform/services/services.ts"
import { namesIn } from "../../store/paged.ts"
import type { RecordedEvent } from "../../store/list-shapes.ts"

export const eventKindShape = choice<EventKind>("The kind of event.", [
  "signed-in",
  ...eventKinds.filter((one) => one !== "signed-in"),
])

const members = {
  id: integer("Increases with each event.", 42),
  at: instant("When it happened"),
  kind: eventKindShape,
  client_id: orNull(idShape("app")),
  client_name: orNull(text("The current name of the app.", "My notes")),
  token_id: orNull(idShape("credential")),
  address: orNull(text("The network address of the request.", "192.0.2.7")),
  detail: orNull(text("Details, in a few words.", "administrator"), null),
}

export const eventShape = record("Event", {
  ...members,
  user_id: orNull(idShape("account")),
  username: orNull(usernameShape),
  actor_id: orNull(text("The account that did it, or null if it is the same account.", EXAMPLE_ID), null),
  actor: orNull(text("The name of that account.", "root"), null),
})

export type EventRecord = Parsed<typeof eventShape>

export const activityShape = record("Activity", {
  ...members,
  by_other: flag("Whether an administrator or the service did it.", false),
})

/** Builds the records with current names. A removed account or app has the name null. */
export async function eventRecords(
  services: Pick<Services, "store">,
  recorded: readonly RecordedEvent[],
): Promise<readonly EventRecord[]> {
  const { accounts, apps } = await namesIn(services, recorded)
  return recorded.map(({ id, at, kind, userId, clientId, tokenId, actorId, address, detail }) => ({
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
  }))
}

/** Shows an event to its account holder. It hides an administrator's name and address. */
export function activityRecord(event: EventRecord): Parsed<typeof activityShape> {
  const { id, at, kind, client_id, client_name, token_id, detail, user_id, actor_id, address } = event
  const isByOther = (actor_id !== null && actor_id !== user_id) || address === null
  const shown = { id, at, kind, client_id, client_name, token_id, detail }
  return { ...shown, by_other: isByOther, address: isByOther ? null : address }
}
