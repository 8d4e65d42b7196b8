/**
 * What people do to apps of their own, on their pages, by API and in the command line: interface SVC-8. An app of
 * somebody else's is answered like one that does not exist.
 */
import type { Account } from "../records/account.rules.ts"
import { appDifference } from "../audit/app-difference.rules.ts"
import type { ClientId } from "../kernel/ids.ts"
import { type Decided, decided } from "../records/change.rules.ts"
import type { Client } from "../records/client.rules.ts"
import { isIdentifier } from "../kernel/identifier.ts"
import { OWN_APPS_AT_MOST } from "../kernel/limits.ts"
import { type Problem, type Result, err, ok } from "../kernel/result.ts"
import {
  type AskedOwnApp,
  type OwnAppUpdate,
  ownUpdatedClient,
  parseOwnRegistration,
} from "./own-app.rules.ts"
import type { Page } from "../store/store.ts"
import { newClientSecret } from "../oauth/credential/token.ts"
import type { Actor } from "../accounts/accounts.ts"
import { type App, type AppWithSecret, changedApp, recordedApp, removedApp, unknownApp } from "./app.ts"
import type { Services } from "../services/services.ts"
import { newClient } from "./new-client.ts"

type Needs = Pick<Services, "store" | "clock">
type Judging = Needs & Pick<Services, "catalogue" | "settings">
type Owner = Pick<Account, "userId">

/** Registers an app in the name of its owner. A confidential one gets its secret, told this once. */
export async function registerOwnApp(
  { store, clock, catalogue, settings }: Judging,
  { userId }: Owner,
  asked: AskedOwnApp,
  from: Actor,
): Promise<Result<AppWithSecret, Problem>> {
  const { openSchemes } = await settings.current()
  const registration = parseOwnRegistration(catalogue, asked, openSchemes)
  if (!registration.ok) return registration
  const now = clock.now()
  const { client, secret } = newClient(registration.value, { registeredBy: "user", ownerId: userId }, now)
  return store.change(
    { account: userId, ownedApps: userId },
    ({ account, ownedApps }): Decided<Result<AppWithSecret, Problem>> => {
      if (account === null || !account.enabled) return decided(noAccount)
      if ((ownedApps?.count ?? 0) >= OWN_APPS_AT_MOST) return decided(tooMany)
      return decided(
        ok({ client, owner: account, secret }),
        { change: "clientAdded", client },
        recordedApp("app-registered", client, now, from),
      )
    },
  )
}

/** The apps of an account, oldest first unless the page says otherwise. */
export function ownApps(
  { store }: Pick<Needs, "store">,
  { userId }: Owner,
  page: Page,
): Promise<readonly Client[]> {
  return store.clients(page, { ownerId: userId })
}

export async function findOwnApp(
  { store }: Pick<Needs, "store">,
  { userId }: Owner,
  id: string,
): Promise<Result<App, Problem>> {
  const { client, account: owner } = await store.read({ client: clientIdOf(id), account: userId })
  return client?.ownerId === userId ? ok({ client, owner }) : unknownApp(id)
}

/** Changes a registration; in force at the next request of every credential that the app holds. */
export async function updateOwnApp(
  services: Judging,
  owner: Owner,
  id: string,
  update: OwnAppUpdate,
  from: Actor,
): Promise<Result<App, Problem>> {
  const { openSchemes } = await services.settings.current()
  return onOwnApp(services, owner, id, (client, now) => {
    const updated = ownUpdatedClient(services.catalogue, client, update, openSchemes)
    return updated.ok
      ? changedApp(updated.value, "app-changed", now, from, appDifference(client, updated.value))
      : decided(updated)
  })
}

/** What an administrator disabled stays so until an administrator enables it. */
export function setOwnAppEnabled(
  services: Needs,
  owner: Owner,
  id: string,
  enabled: boolean,
  from: Actor,
): Promise<Result<App, Problem>> {
  return onOwnApp(services, owner, id, (client, now) => {
    if (client.enabled === enabled) return decided(ok(client))
    if (enabled && !client.disabledByOwner)
      return decided(err("An administrator disabled this app. Only an administrator can enable it again."))
    const after = { ...client, enabled, disabledByOwner: !enabled }
    return changedApp(after, enabled ? "app-enabled" : "app-disabled", now, from)
  })
}

/** Ends the old secret at once and tells the new one. */
export async function rotateOwnSecret(
  services: Needs,
  owner: Owner,
  id: string,
  from: Actor,
): Promise<Result<AppWithSecret, Problem>> {
  const secret = newClientSecret()
  const rotated = await onOwnApp(services, owner, id, (client, now) =>
    client.type === "public"
      ? decided(err("A public app has no secret."))
      : changedApp({ ...client, secretHash: secret.hash }, "app-secret-rotated", now, from),
  )
  return rotated.ok ? ok({ ...rotated.value, secret: secret.text }) : rotated
}

/** Removes an app for good and revokes every credential that it holds. */
export function removeOwnApp(
  services: Needs,
  owner: Owner,
  id: string,
  from: Actor,
): Promise<Result<App, Problem>> {
  return onOwnApp(services, owner, id, (client, now) => removedApp(client, now, from))
}

const noAccount = err("The account is not available.")
const tooMany = err(
  `An account has at most ${OWN_APPS_AT_MOST} apps. Remove one that is not needed any more.`,
)

/** Decides on an app of this account; one of another account is answered as an unknown one is. */
export async function onOwnApp(
  { store, clock }: Needs,
  { userId }: Owner,
  id: string,
  decide: (client: Client, now: number) => Decided<Result<Client, Problem>>,
): Promise<Result<App, Problem>> {
  const now = clock.now()
  const { answer, owner } = await store.change(
    { client: clientIdOf(id), account: userId },
    ({ client, account }): Decided<{ answer: Result<Client, Problem>; owner: Account | null }> => {
      const decision = judged(client, account)
      return { answer: { answer: decision.answer, owner: account }, changes: decision.changes }
    },
  )
  return answer.ok ? ok({ client: answer.value, owner }) : answer

  function judged(client: Client | null, account: Account | null): Decided<Result<Client, Problem>> {
    if (account === null || !account.enabled) return decided(noAccount)
    return client?.ownerId === userId ? decide(client, now) : decided(unknownApp(id))
  }
}

function clientIdOf(id: string): ClientId | null {
  return isIdentifier(id) ? (id as ClientId) : null
}
