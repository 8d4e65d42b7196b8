/** Database writes for new, changed and removed apps. */
import type { Account } from "../model/account.rules.ts"
import { type Change, eventRecorded } from "../model/change.rules.ts"
import type { Client, Icon, RegisteredBy } from "../model/clients/client.rules.ts"
import type { Credential } from "../model/credential.rules.ts"
import type { Actor, EventKind } from "../model/event.rules.ts"
import { type Problem, type Result, err, ok } from "../kernel/result.ts"
import type { ClientId, Hash, UserId } from "../kernel/ids.ts"
import type { Catalog } from "../model/permissions/permission-catalog.rules.ts"
import type { Registration } from "../model/clients/registration.rules.ts"
import {
  type BindingInput,
  bindingProblem,
  decideBinding,
  workloadProblem,
} from "../oauth/credential/binding.rules.ts"
import type { AppUpdate } from "./app-change.rules.ts"
import { clientAfter, type Owner } from "./own-app.rules.ts"

/** A new app, and its secret in clear text. */
export type NewClient = { readonly client: Client; readonly secret: string | null }

export type Registrar = {
  readonly registeredBy: RegisteredBy
  readonly ownerId: UserId | null
  readonly registrationHash?: Hash | null
  readonly deleteAfter?: number | null
  /** The digest of the icon that is stored with the app. */
  readonly iconHash?: Hash | null
  /** What an administrator chose. Otherwise the app gets a new id and a new secret. */
  readonly clientId?: ClientId
  readonly secretHash?: Hash | null
}

/** Returns a new app as it is stored. */
export function clientFrom(
  registration: Registration,
  by: Registrar & Pick<Client, "clientId" | "secretHash">,
  now: number,
): Client {
  return {
    ...registration,
    enabled: true,
    disabledByOwner: false,
    binding: null,
    ceilingByHand: false,
    registrationHash: null,
    deleteAfter: null,
    iconHash: null,
    ...by,
    issuedAt: now,
  }
}

/** Binds a new app to its service account, if it has one, and stores it. */
export function decideNewApp(
  unbound: Client,
  serviceAccount: Account | null,
  icon: Icon | null,
  fresh: BindingInput,
): Result<{ readonly client: Client; readonly changes: readonly Change[] }, Problem> {
  const problem = bindingProblem(unbound, serviceAccount)
  if (problem !== null) return err(problem)
  const { binding, changes } = decideBinding(unbound, null, serviceAccount, fresh)
  const client = { ...unbound, binding }
  const unused = workloadProblem(null, client)
  if (unused !== null) return err(unused)
  return ok({ client, changes: [...addedApp(client, icon, fresh.now, fresh), ...changes] })
}

/** The accounts that a change of an app names. Null removes the account, and undefined keeps it. */
export type NamedAccounts = {
  readonly ownerId: UserId | null | undefined
  readonly serviceAccount: Account | null | undefined
  /** The credential of the present binding. */
  readonly boundCredential: Credential | null
}

/** Returns the app after a change, and the changes of its binding. `owner` is as for `clientAfter`. */
export function decideUpdate(
  catalog: Catalog,
  client: Client,
  update: AppUpdate,
  { ownerId = client.ownerId, serviceAccount, boundCredential }: NamedAccounts,
  owner: Pick<Owner, "openSchemes"> | null,
  fresh: BindingInput,
): Result<{ readonly after: Client; readonly changes: readonly Change[] }, Problem> {
  const updated = clientAfter(catalog, client, update, owner)
  if (!updated.ok) return updated
  const problem = bindingProblem(client, serviceAccount ?? null)
  if (problem !== null) return err(problem)
  const { binding, changes } =
    serviceAccount === undefined
      ? { binding: client.binding, changes: [] }
      : decideBinding(client, boundCredential, serviceAccount, fresh)
  const after = { ...updated.value, ownerId, binding }
  const unused = workloadProblem(client, after)
  return unused === null ? ok({ after: keptForGood(after), changes }) : err(unused)
}

/**
 * Exempts a self-registered app from deletion for lack of use. Every change by an administrator also exempts the app.
 */
export function keptForGood(client: Client): Client {
  return { ...client, registrationHash: null, deleteAfter: null }
}

/** Removes an app and revokes its credentials. */
export function removedApp(client: Client, now: number, from: Actor): readonly Change[] {
  const { clientId } = client
  return [
    { change: "credentialsRevoked", of: { clientId }, at: now, because: "app-removed" },
    { change: "clientRemoved", clientId },
    // The event keeps the name of the app, because the app itself is deleted.
    recordedApp("app-removed", client, now, from, client.name),
  ]
}

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
  return eventRecorded(kind, now, facts)
}
