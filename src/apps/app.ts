/** Lists, changes and removes registered apps for owners and administrators. Interface SVC-7, SVC-8. */
import type { Account } from "../model/account.rules.ts"
import type { AppUpdate } from "./app-change.rules.ts"
import { appDifference } from "../model/clients/app-difference.rules.ts"
import type { TokenId, UserId } from "../kernel/ids.ts"
import { type Decided, decided } from "../model/change.rules.ts"
import { withoutSecret } from "../model/clients/chosen-client.rules.ts"
import type { Client } from "../model/clients/client.rules.ts"
import type { Credential } from "../model/credential.rules.ts"
import type { Actor, EventKind } from "../model/event.rules.ts"
import { parseClientId } from "../oauth/clients/resolve.rules.ts"
import { type Problem, type Result, err, ok } from "../kernel/result.ts"
import type { AppUsers, ClientFilter } from "../store/list-shapes.ts"
import { decideUpdate, keptForGood, recordedApp, removedApp } from "./app-writes.rules.ts"
import { keysProblem } from "../platform/statements/verification-key.ts"
import type { BindingInput } from "../oauth/credential/binding.rules.ts"
import { newClientSecret } from "../oauth/credential/token.ts"
import { digest } from "../kernel/hash.ts"
import { newId, randomKey, randomSecret } from "../kernel/random.ts"
import type { Services } from "../platform/services/services.ts"
import { all, rowKeys } from "../store/list.ts"
import { accountsById } from "../store/paged.ts"
import type { Owner } from "./own-app.rules.ts"
import { unknownGroupIn } from "../accounts/groups/groups.ts"
import { findAccount } from "../accounts/find-account.ts"

type Needs = Pick<Services, "store" | "clock">

/**
 * The actor of an operation on apps. An owner manages only the apps of one account, under the rules for owners. If
 * `owner` is null, the actor is an administrator, who manages all apps.
 */
export type Manager = Actor & { readonly owner: Owner | null }

/** Identifies the manager in operations that record no event. */
export type Managing = Pick<Manager, "owner">

/** An app, its owner and the service account that it is bound to. `owner` and `serviceAccount` are null if absent. */
export type App = {
  readonly client: Client
  readonly owner: Account | null
  readonly serviceAccount: Account | null
}

/** An app with its new secret, which the database does not store. A public app has no secret. */
export type AppWithSecret = App & { readonly secret: string | null }

export async function asOwner(
  { settings }: Pick<Services, "settings">,
  { userId }: Pick<Account, "userId">,
): Promise<Owner> {
  return { userId, openSchemes: (await settings.current()).openSchemes }
}

/** Lists the apps that match the filter, oldest first. */
export async function listApps(
  { store }: Pick<Needs, "store">,
  filter: ClientFilter = {},
): Promise<readonly App[]> {
  const clients = await all((page) => store.clients(page, filter), rowKeys.clients)
  return withOwners({ store }, clients)
}

/** Adds the accounts to each app. */
export async function withOwners(
  { store }: Pick<Needs, "store">,
  clients: readonly Client[],
): Promise<readonly App[]> {
  const accounts = await accountsById(
    { store },
    clients.flatMap(({ ownerId, binding }) => [ownerId, binding?.userId]),
  )
  return clients.map((client) => ({
    client,
    owner: accounts.get(client.ownerId) ?? null,
    serviceAccount: accounts.get(client.binding?.userId) ?? null,
  }))
}

/** Finds any app by id. */
export function findApp({ store }: Pick<Needs, "store">, id: string): Promise<Result<App, Problem>> {
  return findManagedApp({ store }, id, { owner: null })
}

/** Finds an app that `by` may manage. An owner cannot find the app of another account. */
export async function findManagedApp(
  { store }: Pick<Needs, "store">,
  id: string,
  by: Managing,
): Promise<Result<App, Problem>> {
  const { client } = await store.read({ client: parseClientId(id) })
  return client !== null && isManagedBy(by, client) ? ok(await withOwner({ store }, client)) : unknownApp(id)
}

/** A complete count of a very popular app would delay other requests, so counting stops at this number. */
const INSTALLATIONS_COUNTED = 10_000

/** Counts the installations and accounts of an app, up to `INSTALLATIONS_COUNTED`. */
export function usersOf({ store, clock }: Needs, { clientId }: Pick<Client, "clientId">): Promise<AppUsers> {
  return store.usersOf(clientId, clock.now(), INSTALLATIONS_COUNTED)
}

/**
 * The new names of the owner and the service account. Null removes the account, and undefined keeps it. Only
 * administrators may change them.
 */
export type ManagersUpdate = AppUpdate & {
  readonly ownerName?: string | null | undefined
  readonly serviceAccountName?: string | null | undefined
}

/** Changes a registration. The change applies to the next request of every credential of the app. */
export async function updateApp(
  services: Needs & Pick<Services, "catalog">,
  id: string,
  requested: ManagersUpdate,
  by: Manager,
): Promise<Result<App, Problem>> {
  const { ownerName, serviceAccountName, ...update } =
    by.owner === null ? requested : { ...requested, ownerName: undefined, serviceAccountName: undefined }
  const named = await findNamed(services, ownerName)
  if (!named.ok) return named
  const bound = await findNamed(services, serviceAccountName)
  if (!bound.ok) return bound
  const keys = await keysProblem(update.keys ?? null)
  if (keys !== null) return err(keys)
  const { client: before } = await services.store.read({ client: parseClientId(id) })
  const missing = before === null ? null : await addedGroupsProblem(services, before, update)
  if (missing !== null) return err(missing)
  const [newOwnerId, serviceAccountId] = [named.value?.userId ?? null, bound.value?.userId ?? null]
  const fresh = newBinding(services.clock.now(), by)
  return onApp(services, id, by, { newOwnerId, serviceAccountId }, (client, now, rows) => {
    if (newOwnerId !== null && rows.account === null) return decided(err(OWNER_GONE))
    const { serviceAccount, boundCredential } = rows
    if (serviceAccountId !== null && serviceAccount === null) return decided(err(SERVICE_ACCOUNT_GONE))
    const accounts = {
      ownerId: ownerName === undefined ? undefined : newOwnerId,
      serviceAccount: serviceAccountName === undefined ? undefined : serviceAccount,
      boundCredential,
    }
    const updated = decideUpdate(services.catalog, client, update, accounts, by.owner, fresh)
    if (!updated.ok) return decided(updated)
    const { after, changes } = updated.value
    const difference = appDifference(client, after)
    if (difference === null) return decided(ok(client))
    const changed = changedApp(after, "app-changed", now, by, difference)
    return decided(changed.answer, ...changed.changes, ...changes)
  })
}

/** Returns the problem of a group that an update adds, and that does not exist. */
export async function addedGroupsProblem(
  services: Pick<Needs, "store">,
  { groups: before }: Pick<Client, "groups">,
  { groups = [], addGroups = [] }: Pick<AppUpdate, "groups" | "addGroups">,
): Promise<Problem | null> {
  const added = [...groups, ...addGroups].filter((name) => !before.includes(name))
  return (await unknownGroupIn(services, added))?.problem ?? null
}

/** Finds the account with this name. Returns null if no name is given. */
export async function findNamed(
  services: Pick<Needs, "store">,
  name: string | null | undefined,
): Promise<Result<Account | null, Problem>> {
  return name === undefined || name === null ? ok(null) : findAccount(services, name)
}

/** Returns the id and the other values that a new binding needs for its credential. */
export function newBinding(now: number, { address, actorId = null }: Actor): BindingInput {
  return {
    now,
    address,
    actorId,
    tokenId: newId<TokenId>(now),
    familyKey: randomKey(),
    noRefreshHash: digest(randomSecret()),
  }
}

const DENIED = "The document of this app is denied. Run document allow."

/** Enables or disables an app. Only an administrator can enable an app that an administrator disabled. */
export async function setAppEnabled(
  services: Needs,
  id: string,
  enabled: boolean,
  by: Manager,
): Promise<Result<App, Problem>> {
  const isOwners = by.owner !== null
  const { document } = await services.store.read({ document: enabled ? parseClientId(id) : null })
  if (document?.isDenied === true) return err(DENIED)
  return onApp(services, id, by, null, (client, now) => {
    if (client.enabled === enabled && (isOwners || !client.disabledByOwner)) return decided(ok(client))
    if (isOwners && enabled && !client.disabledByOwner) return decided(disabledByAdministrator)
    const after = { ...keptForGood(client), enabled, disabledByOwner: isOwners && !enabled }
    return changedApp(after, enabled ? "app-enabled" : "app-disabled", now, by)
  })
}

/** Replaces the secret of a confidential app. The old secret stops working at once. */
export async function rotateAppSecret(
  services: Needs,
  id: string,
  by: Manager,
): Promise<Result<App & { readonly secret: string }, Problem>> {
  const secret = newClientSecret()
  const rotated = await onApp(services, id, by, null, (client, now) => {
    const problem = withoutSecret(client)
    if (problem !== null) return decided(err(problem))
    return changedApp({ ...keptForGood(client), secretHash: secret.hash }, "app-secret-rotated", now, by)
  })
  return rotated.ok ? ok({ ...rotated.value, secret: secret.text }) : rotated
}

/** Removes an app permanently and revokes all of its credentials. */
export function removeApp(services: Needs, id: string, by: Manager): Promise<Result<App, Problem>> {
  return onApp(services, id, by, null, (client, now) => decided(ok(client), ...removedApp(client, now, by)))
}

export const OWNER_GONE = "The owner's account was just removed."
export const SERVICE_ACCOUNT_GONE = "The service account was just removed."
export const noAccount = err("The account is not available.")
const disabledByAdministrator = err(
  "An administrator disabled this app. Only an administrator can enable it again.",
)

type AppRows = {
  readonly account: Account | null
  readonly serviceAccount: Account | null
  readonly boundCredential: Credential | null
}

type Named = { readonly newOwnerId: UserId | null; readonly serviceAccountId: UserId | null }

/** Changes an app that `by` may manage. `decide` also gets the accounts that `named` identifies, if they exist. */
export async function onApp(
  { store, clock }: Needs,
  id: string,
  by: Managing,
  named: Named | null,
  decide: (client: Client, now: number, rows: AppRows) => Decided<Result<Client, Problem>>,
): Promise<Result<App, Problem>> {
  const now = clock.now()
  const clientId = parseClientId(id)
  const answer = await store.change(
    {
      client: clientId,
      account: by.owner?.userId ?? named?.newOwnerId ?? null,
      serviceAccount: named?.serviceAccountId ?? null,
      boundCredential: clientId,
    },
    ({ client, ...rows }): Decided<Result<Client, Problem>> => {
      if (by.owner !== null && rows.account?.enabled !== true) return decided(noAccount)
      return client !== null && isManagedBy(by, client) ? decide(client, now, rows) : decided(unknownApp(id))
    },
  )
  return answer.ok ? ok(await withOwner({ store }, answer.value)) : answer
}

function isManagedBy({ owner }: Managing, { ownerId }: Client): boolean {
  return owner === null || owner.userId === ownerId
}

async function withOwner({ store }: Pick<Needs, "store">, client: Client): Promise<App> {
  const { account: owner, serviceAccount } = await store.read({
    account: client.ownerId,
    serviceAccount: client.binding?.userId ?? null,
  })
  return { client, owner, serviceAccount }
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

export function unknownApp(id: string) {
  return err(`There is no app ${JSON.stringify(id)}.`)
}
