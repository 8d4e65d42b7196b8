/** Adds names to credentials and events for console pages. */
import { credentialRecord } from "../../oauth/credential/credential-record.rules.ts"
import type { Event } from "../../model/event.rules.ts"
import type { CredentialView } from "../../oauth/credential/credentials.view.ts"
import type { EventView } from "./events.view.ts"
import type { HeldBy } from "../console/console-lists.ts"
import { namesIn } from "../../store/paged.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"

export function credentialView(
  { services }: HttpContext,
  { credential, client, account }: HeldBy,
): CredentialView {
  const record = credentialRecord(services.catalog, credential, client, account, services.clock.now())
  return { ...record, appName: client?.name ?? null }
}

export async function eventViews({ services }: HttpContext, events: readonly Event[]): Promise<EventView[]> {
  const names = await namesIn(services, events)
  return events.map((event) => ({
    ...event,
    username: event.userId === null ? null : (names.accounts.get(event.userId) ?? null),
    actorName: event.actorId === null ? null : (names.accounts.get(event.actorId) ?? null),
    appName: event.clientId === null ? null : (names.apps.get(event.clientId) ?? null),
  }))
}
