/**
 * The activity of an account, newest first. It combines three lists: the account's own events, credentials that ended
 * without an event, and changes of apps that the account uses.
 */
import type { Account } from "../../model/account.rules.ts"
import { isOfPermissions } from "../../model/clients/app-difference.rules.ts"
import type { ClientId, TokenId } from "../../kernel/ids.ts"
import type { Client } from "../../model/clients/client.rules.ts"
import { type Credential, type QuietEnd } from "../../model/credential.rules.ts"
import type { Event, EventKind } from "../../model/event.rules.ts"
import type { RecordedEvent } from "../../store/list-shapes.ts"
import { credentialsAsOfNow } from "../../platform/services/observed-expiry.ts"
import type { Services } from "../../platform/services/services.ts"

type Needs = Pick<Services, "store" | "clock">

export type Happened =
  /** An event of the account, or of an app that it owns. */
  | { readonly what: "event"; readonly event: Event }
  /** An app that the account uses was changed. */
  | { readonly what: "used-app"; readonly event: Event }
  | {
      readonly what: "ended"
      readonly because: QuietEnd
      readonly at: number
      readonly clientId: ClientId
      readonly installationName: string | null
    }

/** The next page starts after the event `eventId`. Rows without an event must be older than `before`. */
export type ActivityCursor = { readonly eventId: string; readonly before: number }

type Activity = {
  readonly rows: readonly Happened[]
  /** The current registrations of the apps in the rows. Removed apps are missing. */
  readonly apps: ReadonlyMap<ClientId, Client>
  /** The labels of installations whose credentials are still stored. */
  readonly labels: ReadonlyMap<TokenId, string>
  /** The value is null on the last page. */
  readonly next: ActivityCursor | null
}

/** These limits apply to the rows that a page reads in addition to events. */
const ENDED_AT_MOST = 500
const USED_APPS_AT_MOST = 50
const CHANGES_OF_AN_APP_AT_MOST = 20

const changesOfApps: readonly EventKind[] = ["app-changed", "app-disabled", "app-enabled"]

export async function activityOf(
  services: Needs,
  { userId }: Pick<Account, "userId">,
  cursor: ActivityCursor | null,
  limit: number,
): Promise<Activity> {
  const { store } = services
  const page = { limit: limit + 1, ...(cursor !== null && { after: cursor.eventId }) }
  const found = await store.events({ userId }, page)
  const events = found.slice(0, limit)
  const last = found.length > limit ? events.at(-1) : undefined
  const span = { since: last?.at ?? 0, until: cursor?.before ?? Infinity }
  const beside = [
    ...(await quietEnds(services, userId)),
    ...(await changesOfUsedApps(services, userId)),
  ].filter((one) => span.since <= timeOf(one) && timeOf(one) < span.until)
  const rows = [...events.map((event) => ({ what: "event", event }) as const), ...beside]
    // The sort is stable, so events of one second stay in the order of their ids.
    .toSorted((a, b) => timeOf(b) - timeOf(a))
  const next = last === undefined ? null : { eventId: String(last.id), before: last.at }
  const [apps, labels] = await Promise.all([appsOf(services, rows), labelsOf(services, userId, events)])
  return { rows, apps, labels, next }
}

export function timeOf(one: Happened): number {
  return one.what === "ended" ? one.at : one.event.at
}

/** Returns ended credentials. They stay stored and listed for a week. */
async function quietEnds(services: Needs, userId: Account["userId"]): Promise<readonly Happened[]> {
  const filter = { userId, over: services.clock.now() }
  const over = await credentialsAsOfNow(services, filter, { limit: ENDED_AT_MOST, newestFirst: true })
  return over.flatMap(({ credential }) => quietEnd(credential))
}

function quietEnd({ consent, life }: Credential): readonly Happened[] {
  const { clientId, installationName } = consent
  if (life.state === "ended" && life.because !== "code-expired")
    return [{ what: "ended", because: life.because, at: life.endedAt, clientId, installationName }]
  if (life.state === "revoked" && life.because === "app-removed")
    return [{ what: "ended", because: life.because, at: life.revokedAt, clientId, installationName }]
  return []
}

/**
 * Returns changes of apps that have access now, since the account's oldest consent. Changes of the account's own apps
 * are left out, because they are events of the account.
 */
async function changesOfUsedApps(
  { store, clock }: Needs,
  userId: Account["userId"],
): Promise<readonly Happened[]> {
  const now = clock.now()
  const used = new Set((await store.consentsOf({ userId }, now)).map(({ clientId }) => clientId))
  const changes = await Promise.all(
    [...used].slice(0, USED_APPS_AT_MOST).map(async (clientId) => {
      const [oldest] = await store.credentials({ userId, clientId, live: now }, { limit: 1 })
      if (oldest === undefined) return []
      const { consentedAt } = oldest.credential.consent
      const page = { limit: CHANGES_OF_AN_APP_AT_MOST }
      const events = await store.events({ clientId, kinds: changesOfApps }, page)
      return events.filter((event) => event.at >= consentedAt && affectsUser(event, userId))
    }),
  )
  return changes.flat().map((event) => ({ what: "used-app", event }))
}

/** New permissions, disabling and enabling affect the users of an app. A new name or icon does not. */
function affectsUser({ kind, detail, userId }: RecordedEvent, mine: Account["userId"]): boolean {
  return userId !== mine && (kind !== "app-changed" || isOfPermissions(detail))
}

async function appsOf(
  { store }: Pick<Needs, "store">,
  rows: readonly Happened[],
): Promise<ReadonlyMap<ClientId, Client>> {
  const ids = new Set(rows.flatMap((one) => clientOf(one) ?? []))
  const apps = await Promise.all([...ids].map(async (client) => (await store.read({ client })).client))
  return new Map(apps.flatMap((client) => (client === null ? [] : [[client.clientId, client] as const])))
}

async function labelsOf(
  { store }: Pick<Needs, "store">,
  userId: Account["userId"],
  events: readonly Event[],
): Promise<ReadonlyMap<TokenId, string>> {
  const ids = [...new Set(events.flatMap(({ tokenId }) => tokenId ?? []))]
  const held = await Promise.all(ids.map(async (id) => (await store.read({ credential: id })).credential))
  return new Map(
    held.flatMap((credential) => {
      if (credential?.consent.userId !== userId) return []
      const { tokenId, installationName } = credential.consent
      return installationName === null ? [] : [[tokenId, installationName] as const]
    }),
  )
}

export function clientOf(one: Happened): ClientId | null {
  return one.what === "ended" ? one.clientId : one.event.clientId
}
