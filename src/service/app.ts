/** What an administrator or a user does to registered apps, from the command line, the console or the API. */
import type { Account } from "../core/account.ts"
import { type AppUpdate, updatedClient } from "../core/app-change.ts"
import type { ClientId } from "../core/brand.ts"
import { type Change, type Decided, decided } from "../core/change.ts"
import type { Client, RegisteredBy } from "../core/client.ts"
import { event, type EventKind } from "../core/event.ts"
import { isIdentifier } from "../core/identifier.ts"
import { declined, done, type Outcome } from "../core/outcome.ts"
import { type AskedRegistration, parseRegistration } from "../core/registration.ts"
import { newId } from "../system/random.ts"
import { newClientSecret } from "../system/token.ts"
import { findAccount, type From, listAccounts } from "./account.ts"
import type { Latchkey } from "./latchkey.ts"
import { all } from "./list.ts"

type Needs = Pick<Latchkey, "store" | "clock">

/** An app with the account that owns it, if one does. */
export type App = { readonly client: Client; readonly owner: Account | null }

/** An app at the one moment when its secret can be told; null for a public app. */
export type AppWithSecret = App & { readonly secret: string | null }

export type NewApp = From &
  AskedRegistration & {
    readonly registeredBy: RegisteredBy
    readonly ownerName: string | null
  }

/** Registers an app. A confidential one gets its secret, which is stored as a digest and never told again. */
export async function addApp(
  { store, clock, catalogue }: Needs & Pick<Latchkey, "catalogue">,
  asked: NewApp,
): Promise<Outcome<AppWithSecret>> {
  const registration = parseRegistration(catalogue, asked)
  if (!registration.ok) return registration
  const owner = asked.ownerName === null ? null : await findAccount({ store }, asked.ownerName)
  if (owner?.ok === false) return owner
  const now = clock.now()
  const secret = asked.type === "confidential" ? newClientSecret() : null
  const ownerId = owner?.value.userId ?? null
  const client: Client = {
    ...registration.value,
    clientId: newId<ClientId>(now),
    secretHash: secret?.hash ?? null,
    enabled: true,
    registeredBy: asked.registeredBy,
    ownerId,
    issuedAt: now,
  }
  return store.change({ account: ownerId }, ({ account }): Decided<Outcome<AppWithSecret>> => {
    if (ownerId !== null && account === null)
      return decided(declined("The owner's account was just removed."))
    return decided(
      done({ client, owner: account, secret: secret?.text ?? null }),
      { change: "clientAdded", client },
      recorded("app-registered", client, now, asked),
    )
  })
}

export async function listApps({ store }: Pick<Needs, "store">): Promise<readonly App[]> {
  const clients = await all(
    (page) => store.clients(page),
    ({ clientId }) => clientId,
  )
  const accounts = new Map((await listAccounts({ store })).map((account) => [account.userId, account]))
  return clients.map((client) => ({
    client,
    owner: client.ownerId === null ? null : (accounts.get(client.ownerId) ?? null),
  }))
}

export async function findApp({ store }: Pick<Needs, "store">, id: string): Promise<Outcome<App>> {
  const { client } = await store.read({ client: isIdentifier(id) ? (id as ClientId) : null })
  return client === null ? unknownApp(id) : done(await withOwner({ store }, client))
}

/** Changes a registration; in force at the next request of every credential that the app holds. */
export function updateApp(
  latchkey: Needs & Pick<Latchkey, "catalogue">,
  id: string,
  update: AppUpdate,
  from: From,
): Promise<Outcome<App>> {
  return onApp(latchkey, id, (client, now) => {
    const updated = updatedClient(latchkey.catalogue, client, update)
    return updated.ok ? changed(updated.value, "app-changed", now, from) : decided(updated)
  })
}

export function setAppEnabled(
  latchkey: Needs,
  id: string,
  enabled: boolean,
  from: From,
): Promise<Outcome<App>> {
  return onApp(latchkey, id, (client, now) =>
    client.enabled === enabled
      ? decided(done(client))
      : changed({ ...client, enabled }, enabled ? "app-enabled" : "app-disabled", now, from),
  )
}

/** Ends the old secret at once and tells the new one. */
export async function rotateAppSecret(
  latchkey: Needs,
  id: string,
  from: From,
): Promise<Outcome<AppWithSecret>> {
  const secret = newClientSecret()
  const rotated = await onApp(latchkey, id, (client, now) =>
    client.type === "public"
      ? decided(declined("A public app has no secret."))
      : changed({ ...client, secretHash: secret.hash }, "app-secret-rotated", now, from),
  )
  return rotated.ok ? done({ ...rotated.value, secret: secret.text }) : rotated
}

/** Removes an app for good and revokes every credential that it holds. */
export function removeApp(latchkey: Needs, id: string, from: From): Promise<Outcome<App>> {
  return onApp(latchkey, id, (client, now) => {
    const { clientId } = client
    return decided(
      done(client),
      { change: "credentialsRevoked", of: { clientId }, at: now, because: "app-removed" },
      { change: "clientRemoved", clientId },
      recorded("app-removed", client, now, from),
    )
  })
}

async function onApp(
  { store, clock }: Needs,
  id: string,
  decide: (client: Client, now: number) => Decided<Outcome<Client>>,
): Promise<Outcome<App>> {
  const now = clock.now()
  const clientId = isIdentifier(id) ? (id as ClientId) : null
  const answer = await store.change({ client: clientId }, ({ client }): Decided<Outcome<Client>> =>
    client === null ? decided(unknownApp(id)) : decide(client, now),
  )
  return answer.ok ? done(await withOwner({ store }, answer.value)) : answer
}

async function withOwner({ store }: Pick<Needs, "store">, client: Client): Promise<App> {
  const { account: owner } = await store.read({ account: client.ownerId })
  return { client, owner }
}

function changed(client: Client, kind: EventKind, now: number, from: From): Decided<Outcome<Client>> {
  return decided(done(client), { change: "clientChanged", client }, recorded(kind, client, now, from))
}

function recorded(kind: EventKind, { clientId, ownerId }: Client, now: number, { address }: From): Change {
  return { change: "eventRecorded", event: event(kind, now, { clientId, userId: ownerId, address }) }
}

function unknownApp(id: string) {
  return declined(`There is no app ${JSON.stringify(id)}.`)
}
