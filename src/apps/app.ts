/** Registered apps: listed, changed and removed by their owners and by administrators. Interface SVC-7, SVC-8. */
import type { Account } from "../records/account.rules.ts"
import type { AppUpdate } from "./app-change.rules.ts"
import { appDifference } from "../audit/app-difference.rules.ts"
import type { UserId } from "../kernel/ids.ts"
import { type Change, type Decided, decided } from "../records/change.rules.ts"
import type { Client } from "../records/client.rules.ts"
import { event, type EventKind } from "../records/event.rules.ts"
import { parseClientId } from "../oauth/clients/resolve.rules.ts"
import { type Problem, type Result, err, ok } from "../kernel/result.ts"
import type { AppUsers, ClientFilter } from "../store/store.ts"
import { newClientSecret } from "../oauth/credential/token.ts"
import type { Services } from "../services/services.ts"
import { all } from "../store/list.ts"
import { clientAfter, type Owner } from "./own-app.rules.ts"
import { findAccount, type Actor } from "../accounts/find-account.ts"

type Needs = Pick<Services, "store" | "clock">

/** Who manages apps. An owner manages the apps of one account, within the rules for owners. Null: all apps. */
export type Manager = Actor & { readonly owner: Owner | null }

/** The same for operations that record no event. */
export type Managing = Pick<Manager, "owner">

/** An app with the account that owns it, if one does. */
export type App = { readonly client: Client; readonly owner: Account | null }

/** An app with its new secret, which is known at this moment only. Null for a public app. */
export type AppWithSecret = App & { readonly secret: string | null }

export async function asOwner(
  { settings }: Pick<Services, "settings">,
  { userId }: Pick<Account, "userId">,
): Promise<Owner> {
  return { userId, openSchemes: (await settings.current()).openSchemes }
}

/** Every app that the filter lets through, oldest first. */
export async function listApps(
  { store }: Pick<Needs, "store">,
  filter: ClientFilter = {},
): Promise<readonly App[]> {
  const clients = await all(
    (page) => store.clients(page, filter),
    ({ clientId }) => clientId,
  )
  return withOwners({ store }, clients)
}

/** The apps with their owners. Loads each owner once. */
export async function withOwners(
  { store }: Pick<Needs, "store">,
  clients: readonly Client[],
): Promise<readonly App[]> {
  const owners = new Map<UserId, Account | null>()
  for (const { ownerId } of clients) {
    if (ownerId === null || owners.has(ownerId)) continue
    owners.set(ownerId, (await store.read({ account: ownerId })).account)
  }
  return clients.map((client) => ({
    client,
    owner: client.ownerId === null ? null : (owners.get(client.ownerId) ?? null),
  }))
}

/** Any app. */
export function findApp({ store }: Pick<Needs, "store">, id: string): Promise<Result<App, Problem>> {
  return findManagedApp({ store }, id, { owner: null })
}

/** An app that `by` manages. Another account's app is unknown to an owner. */
export async function findManagedApp(
  { store }: Pick<Needs, "store">,
  id: string,
  by: Managing,
): Promise<Result<App, Problem>> {
  const { client } = await store.read({ client: parseClientId(id) })
  return client !== null && isManagedBy(by, client) ? ok(await withOwner({ store }, client)) : unknownApp(id)
}

/** A very popular app is shown with "more than" this count: counting on would delay other requests. */
const INSTALLATIONS_COUNTED = 10_000

/** How many use an app; counting stops at `INSTALLATIONS_COUNTED`. */
export function usersOf({ store, clock }: Needs, { clientId }: Pick<Client, "clientId">): Promise<AppUsers> {
  return store.usersOf(clientId, clock.now(), INSTALLATIONS_COUNTED)
}

/** `ownerName` null removes the owner; left out, the owner stays. Only administrators change it. */
export type ManagersUpdate = AppUpdate & { readonly ownerName?: string | null | undefined }

/** Changes a registration. It applies from the next request of every credential of the app. */
export async function updateApp(
  services: Needs & Pick<Services, "catalogue">,
  id: string,
  { ownerName: asked, ...update }: ManagersUpdate,
  by: Manager,
): Promise<Result<App, Problem>> {
  const ownerName = by.owner === null ? asked : undefined
  const named = ownerName === undefined || ownerName === null ? null : await findAccount(services, ownerName)
  if (named?.ok === false) return named
  const newOwnerId = named?.value.userId ?? null
  return onApp(services, id, by, newOwnerId, (client, now, newOwner) => {
    if (newOwnerId !== null && newOwner === null) return decided(err(OWNER_GONE))
    const updated = clientAfter(services.catalogue, client, update, by.owner)
    if (!updated.ok) return decided(updated)
    const owned = ownerName === undefined ? updated.value : { ...updated.value, ownerId: newOwnerId }
    return changedApp(keptForGood(owned), "app-changed", now, by, appDifference(client, owned))
  })
}

/** An owner cannot enable an app that an administrator disabled. */
export function setAppEnabled(
  services: Needs,
  id: string,
  enabled: boolean,
  by: Manager,
): Promise<Result<App, Problem>> {
  const isOwners = by.owner !== null
  return onApp(services, id, by, null, (client, now) => {
    if (client.enabled === enabled && (isOwners || !client.disabledByOwner)) return decided(ok(client))
    if (isOwners && enabled && !client.disabledByOwner) return decided(disabledByAdministrator)
    const after = { ...keptForGood(client), enabled, disabledByOwner: isOwners && !enabled }
    return changedApp(after, enabled ? "app-enabled" : "app-disabled", now, by)
  })
}

/** Replaces the secret of a confidential app. The old one stops working at once. */
export async function rotateAppSecret(
  services: Needs,
  id: string,
  by: Manager,
): Promise<Result<App & { readonly secret: string }, Problem>> {
  const secret = newClientSecret()
  const rotated = await onApp(services, id, by, null, (client, now) =>
    client.type === "public"
      ? decided(err("A public app has no secret."))
      : changedApp({ ...keptForGood(client), secretHash: secret.hash }, "app-secret-rotated", now, by),
  )
  return rotated.ok ? ok({ ...rotated.value, secret: secret.text }) : rotated
}

/** Removes an app for good and revokes all of its credentials. */
export function removeApp(services: Needs, id: string, by: Manager): Promise<Result<App, Problem>> {
  return onApp(services, id, by, null, (client, now) => {
    const { clientId } = client
    return decided(
      ok(client),
      { change: "credentialsRevoked", of: { clientId }, at: now, because: "app-removed" },
      { change: "clientRemoved", clientId },
      // The event is the only place left that has the name.
      recordedApp("app-removed", client, now, by, client.name),
    )
  })
}

export const OWNER_GONE = "The owner's account was just removed."
export const noAccount = err("The account is not available.")
const disabledByAdministrator = err(
  "An administrator disabled this app. Only an administrator can enable it again.",
)

/** Changes an app that `by` manages. `decide` also gets the account `newOwnerId`, if it exists. */
export async function onApp(
  { store, clock }: Needs,
  id: string,
  by: Managing,
  newOwnerId: UserId | null,
  decide: (client: Client, now: number, newOwner: Account | null) => Decided<Result<Client, Problem>>,
): Promise<Result<App, Problem>> {
  const now = clock.now()
  const answer = await store.change(
    { client: parseClientId(id), account: by.owner?.userId ?? newOwnerId },
    ({ client, account }): Decided<Result<Client, Problem>> => {
      if (by.owner !== null && account?.enabled !== true) return decided(noAccount)
      return client !== null && isManagedBy(by, client)
        ? decide(client, now, account)
        : decided(unknownApp(id))
    },
  )
  return answer.ok ? ok(await withOwner({ store }, answer.value)) : answer
}

function isManagedBy({ owner }: Managing, { ownerId }: Client): boolean {
  return owner === null || owner.userId === ownerId
}

/** A self-registered app is not deleted for lack of use once an administrator has changed it. */
export function keptForGood(client: Client): Client {
  return { ...client, registrationHash: null, deleteAfter: null }
}

async function withOwner({ store }: Pick<Needs, "store">, client: Client): Promise<App> {
  const { account: owner } = await store.read({ account: client.ownerId })
  return { client, owner }
}

function changedApp(
  client: Client,
  kind: EventKind,
  now: number,
  from: Actor,
  detail: string | null = null,
): Decided<Result<Client, Problem>> {
  return decided(
    ok(client),
    { change: "clientChanged", client },
    recordedApp(kind, client, now, from, detail),
  )
}

export function recordedApp(
  kind: EventKind,
  { clientId, ownerId }: Client,
  now: number,
  { address, actorId = null }: Actor,
  detail: string | null = null,
): Change {
  const facts = { clientId, userId: ownerId, actorId, address, detail }
  return { change: "eventRecorded", event: event(kind, now, facts) }
}

function unknownApp(id: string) {
  return err(`There is no app ${JSON.stringify(id)}.`)
}
