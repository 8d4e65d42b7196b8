/** What an administrator or a user does to registered apps, from the command line, the console or the API. */
import type { Account } from "../records/account.rules.ts"
import { type AppUpdate, updatedClient } from "./app-change.rules.ts"
import { appDifference } from "../audit/app-difference.rules.ts"
import type { ClientId, UserId } from "../kernel/ids.ts"
import { type Change, type Decided, decided } from "../records/change.rules.ts"
import type { Client, Icon, RegisteredBy } from "../records/client.rules.ts"
import { event, type EventKind } from "../records/event.rules.ts"
import { isIdentifier } from "../kernel/identifier.ts"
import { type Problem, type Result, err, ok } from "../kernel/result.ts"
import { type AskedRegistration, parseRegistration } from "../records/registration.rules.ts"
import type { ClientFilter } from "../store/store.ts"
import { newClientSecret } from "../oauth/credential/token.ts"
import { findAccount, type Actor } from "../accounts/accounts.ts"
import type { Services } from "../services/services.ts"
import { all } from "../store/list.ts"
import { addedClient, newClient } from "./new-client.ts"

type Needs = Pick<Services, "store" | "clock">

/** An administrator may register any private-use scheme (REDIR-5). */
export const ADMINISTRATORS_ADDRESSES = { schemes: "any", registered: [] } as const

/** An app with the account that owns it, if one does. */
export type App = { readonly client: Client; readonly owner: Account | null }

/** An app at the one moment when its secret can be told; null for a public app. */
export type AppWithSecret = App & { readonly secret: string | null }

export type NewApp = Actor &
  AskedRegistration & {
    readonly registeredBy: RegisteredBy
    readonly ownerName: string | null
    /** Drawn already (`drawIcon`): a picture that is none registers nothing. */
    readonly icon?: Icon | null
  }

/** Registers an app. A confidential one gets its secret, which is stored as a digest and never told again. */
export async function addApp(
  { store, clock, catalogue }: Needs & Pick<Services, "catalogue">,
  asked: NewApp,
): Promise<Result<AppWithSecret, Problem>> {
  const registration = parseRegistration(catalogue, asked, ADMINISTRATORS_ADDRESSES)
  if (!registration.ok) return registration
  const owner = asked.ownerName === null ? null : await findAccount({ store }, asked.ownerName)
  if (owner?.ok === false) return owner
  const now = clock.now()
  const ownerId = owner?.value.userId ?? null
  const { registeredBy, icon = null } = asked
  const iconHash = icon?.hash ?? null
  const { client, secret } = newClient(registration.value, { registeredBy, ownerId, iconHash }, now)
  return store.change({ account: ownerId }, ({ account }): Decided<Result<AppWithSecret, Problem>> => {
    if (ownerId !== null && account === null) return decided(err(OWNER_GONE))
    return decided(
      ok({ client, owner: account, secret }),
      ...addedClient(client, icon),
      recordedApp("app-registered", client, now, asked),
    )
  })
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

/** The apps with their owners, each of whom is looked up once. */
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

export async function findApp({ store }: Pick<Needs, "store">, id: string): Promise<Result<App, Problem>> {
  const { client } = await store.read({ client: isIdentifier(id) ? (id as ClientId) : null })
  return client === null ? unknownApp(id) : ok(await withOwner({ store }, client))
}

/** What an administrator changes; `ownerName` null takes the owner away, left out it stays. */
export type AdministratorsUpdate = AppUpdate & { readonly ownerName?: string | null | undefined }

/** Changes a registration; in force at the next request of every credential that the app holds. */
export async function updateApp(
  services: Needs & Pick<Services, "catalogue">,
  id: string,
  { ownerName, ...update }: AdministratorsUpdate,
  from: Actor,
): Promise<Result<App, Problem>> {
  const named = ownerName === undefined || ownerName === null ? null : await findAccount(services, ownerName)
  if (named?.ok === false) return named
  const newOwnerId = named?.value.userId ?? null
  return onApp(services, id, newOwnerId, (client, now, newOwner) => {
    if (newOwnerId !== null && newOwner === null) return decided(err(OWNER_GONE))
    const updated = updatedClient(services.catalogue, client, update, "any")
    if (!updated.ok) return decided(updated)
    const owned = ownerName === undefined ? updated.value : { ...updated.value, ownerId: newOwnerId }
    return changedApp(lookedAfter(owned), "app-changed", now, from, appDifference(client, owned))
  })
}

export function setAppEnabled(
  services: Needs,
  id: string,
  enabled: boolean,
  from: Actor,
): Promise<Result<App, Problem>> {
  return onApp(services, id, null, (client, now) =>
    client.enabled === enabled && !client.disabledByOwner
      ? decided(ok(client))
      : changedApp(
          { ...lookedAfter(client), enabled, disabledByOwner: false },
          enabled ? "app-enabled" : "app-disabled",
          now,
          from,
        ),
  )
}

/** Ends the old secret at once and tells the new one. */
export async function rotateAppSecret(
  services: Needs,
  id: string,
  from: Actor,
): Promise<Result<AppWithSecret, Problem>> {
  const secret = newClientSecret()
  const rotated = await onApp(services, id, null, (client, now) =>
    client.type === "public"
      ? decided(err("A public app has no secret."))
      : changedApp({ ...lookedAfter(client), secretHash: secret.hash }, "app-secret-rotated", now, from),
  )
  return rotated.ok ? ok({ ...rotated.value, secret: secret.text }) : rotated
}

/** Removes an app for good and revokes every credential that it holds. */
export function removeApp(services: Needs, id: string, from: Actor): Promise<Result<App, Problem>> {
  return onApp(services, id, null, (client, now) => removedApp(client, now, from))
}

const OWNER_GONE = "The owner's account was just removed."

/** `newOwnerId` is the account that is to own it from now on, loaded with it; null where none is named. */
export async function onApp(
  { store, clock }: Needs,
  id: string,
  newOwnerId: UserId | null,
  decide: (client: Client, now: number, newOwner: Account | null) => Decided<Result<Client, Problem>>,
): Promise<Result<App, Problem>> {
  const now = clock.now()
  const clientId = isIdentifier(id) ? (id as ClientId) : null
  const answer = await store.change(
    { client: clientId, account: newOwnerId },
    ({ client, account }): Decided<Result<Client, Problem>> =>
      client === null ? decided(unknownApp(id)) : decide(client, now, account),
  )
  return answer.ok ? ok(await withOwner({ store }, answer.value)) : answer
}

/** An app that registered itself does not go by itself any more once an administrator has touched it. */
export function lookedAfter(client: Client): Client {
  return { ...client, registrationHash: null, deleteAfter: null }
}

async function withOwner({ store }: Pick<Needs, "store">, client: Client): Promise<App> {
  const { account: owner } = await store.read({ account: client.ownerId })
  return { client, owner }
}

export function changedApp(
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

export function removedApp(client: Client, now: number, from: Actor): Decided<Result<Client, Problem>> {
  const { clientId } = client
  return decided(
    ok(client),
    { change: "credentialsRevoked", of: { clientId }, at: now, because: "app-removed" },
    { change: "clientRemoved", clientId },
    // Nothing else will know the name any more.
    recordedApp("app-removed", client, now, from, client.name),
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

export function unknownApp(id: string) {
  return err(`There is no app ${JSON.stringify(id)}.`)
}
