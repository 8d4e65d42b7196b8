/**
 * What a change would do to the credentials that are out, before it is made: the same rules as the change itself, and
 * nothing written. Interface PERM-5…PERM-7.
 */
import type { Account } from "../records/account.rules.ts"
import {
  type AccountChange,
  decideAdministration,
  decideDisabling,
  decideRemoval,
} from "../accounts/account-change.rules.ts"
import { updatedClient } from "./app-change.rules.ts"
import type { ClientId, Permission } from "../kernel/ids.ts"
import type { Decided } from "../records/change.rules.ts"
import type { Client } from "../records/client.rules.ts"
import { type Problem, type Result, err, ok } from "../kernel/result.ts"
import { type OwnAppUpdate, ownUpdatedClient } from "./own-app.rules.ts"
import {
  accountPreview,
  appEndPreview,
  ceilingPreview,
  type ReachPreview,
} from "../permissions/preview/reach-preview.rules.ts"
import { findAccount, type Actor } from "../accounts/accounts.ts"
import { accountOfId } from "../accounts/account-by-id.ts"
import { type AdministratorsUpdate, type App, findApp, updateApp } from "./app.ts"
import type { Services } from "../services/services.ts"
import { all } from "../store/list.ts"
import { findOwnApp } from "./own-app.ts"
import type { HeldConsent } from "../records/held-consent.rules.ts"

type Needs = Pick<Services, "store" | "clock" | "catalogue">

/** The app as the change would leave it; of a removal, as it was. */
export type AppPreview = { readonly app: App; readonly preview: ReachPreview }

/** What an administrator's update would take and bring. Refuses what the update itself would refuse. */
export async function previewAppUpdate(
  services: Needs,
  id: string,
  { ownerName, ...update }: AdministratorsUpdate,
): Promise<Result<AppPreview, Problem>> {
  const found = await findApp(services, id)
  if (!found.ok) return found
  const after = updatedClient(services.catalogue, found.value.client, update, "any")
  const updated = await previewUpdate(services, found.value, after)
  if (!updated.ok || ownerName === undefined) return updated
  const named = ownerName === null ? ok(null) : await findAccount(services, ownerName)
  if (!named.ok) return named
  const { app, preview } = updated.value
  const ownerId = named.value?.userId ?? null
  return ok({ app: { client: { ...app.client, ownerId }, owner: named.value }, preview })
}

/** The same for an app of one's own. */
export async function previewOwnAppUpdate(
  services: Needs & Pick<Services, "settings">,
  owner: Pick<Account, "userId">,
  id: string,
  update: OwnAppUpdate,
): Promise<Result<AppPreview, Problem>> {
  const found = await findOwnApp(services, owner, id)
  if (!found.ok) return found
  const { openSchemes } = await services.settings.current()
  const after = ownUpdatedClient(services.catalogue, found.value.client, update, openSchemes)
  return await previewUpdate(services, found.value, after)
}

/** Makes the update, and tells what it took from whom; null where it leaves the ceiling as it was. */
export async function updateAppAndTell(
  services: Needs,
  id: string,
  update: AdministratorsUpdate,
  from: Actor,
): Promise<Result<{ readonly app: App; readonly preview: ReachPreview | null }, Problem>> {
  const before = await findApp(services, id)
  if (!before.ok) return before
  const updated = await updateApp(services, id, update, from)
  if (!updated.ok) return updated
  const { ceiling } = before.value.client
  const isSame = ceiling.join(" ") === updated.value.client.ceiling.join(" ")
  const preview = isSame ? null : await ofCeiling(services, before.value.client, updated.value.client)
  return ok({ app: updated.value, preview })
}

/** What disabling or removing an app would take: all that it reaches, for a while or for good. */
export async function previewAppEnd(
  services: Needs,
  id: string,
  end: "disabled" | "removed",
): Promise<Result<AppPreview, Problem>> {
  const found = await findApp(services, id)
  return found.ok ? await previewEnd(services, found.value, end) : found
}

/** The same for an app of one's own. */
export async function previewOwnAppEnd(
  services: Needs,
  owner: Pick<Account, "userId">,
  id: string,
  end: "disabled" | "removed",
): Promise<Result<AppPreview, Problem>> {
  const found = await findOwnApp(services, owner, id)
  return found.ok ? await previewEnd(services, found.value, end) : found
}

export type AccountPreview = {
  /** As the change would leave it; of a removal, as it was. */
  readonly account: Account
  readonly preview: ReachPreview
  /** The apps that a removal would leave without an owner. */
  readonly appsWithoutOwner: readonly Client[]
}

/** Refuses, as disabling does, the last enabled administrator. */
export function previewAccountDisabling(
  services: Needs,
  id: string,
): Promise<Result<AccountPreview, Problem>> {
  return ofAccount(services, id, "account-disabled", decideDisabling)
}

/** Refuses, as removal does, the last enabled administrator. */
export async function previewAccountRemoval(
  services: Needs,
  id: string,
): Promise<Result<AccountPreview, Problem>> {
  const previewed = await ofAccount(services, id, "account-removed", decideRemoval)
  if (!previewed.ok) return previewed
  const ownerId = previewed.value.account.userId
  const appsWithoutOwner = await all(
    (page) => services.store.clients(page, { ownerId }),
    ({ clientId }) => clientId,
  )
  return ok({ ...previewed.value, appsWithoutOwner })
}

/** Becoming an administrator, or an ordinary account. Refuses to withdraw the last enabled administrator. */
export function previewAdministration(
  services: Needs,
  id: string,
  admin: boolean,
): Promise<Result<AccountPreview, Problem>> {
  const change = admin ? "administration-granted" : "administration-withdrawn"
  return ofAccount(services, id, change, (asked) => decideAdministration(asked, admin))
}

async function previewUpdate(
  services: Needs,
  { client, owner }: App,
  after: Result<Client, Problem>,
): Promise<Result<AppPreview, Problem>> {
  if (!after.ok) return after
  const preview = await ofCeiling(services, client, after.value)
  return ok({ app: { client: after.value, owner }, preview })
}

async function ofCeiling(services: Needs, before: Client, after: Client): Promise<ReachPreview> {
  const consents = await consentsOf(services, { clientId: before.clientId })
  return ceilingPreview(services.catalogue, before.ceiling, after.ceiling, consents)
}

async function previewEnd(
  services: Needs,
  { client, owner }: App,
  end: "disabled" | "removed",
): Promise<Result<AppPreview, Problem>> {
  const isSo = end === "disabled" && !client.enabled
  const change = isSo ? "nothing" : end === "disabled" ? "app-disabled" : "app-removed"
  const consents = await consentsOf(services, { clientId: client.clientId })
  const preview = appEndPreview(services.catalogue, client.ceiling, change, consents)
  return ok({
    app: { client: end === "disabled" ? { ...client, enabled: false } : client, owner },
    preview,
  })
}

async function ofAccount(
  services: Needs,
  id: string,
  change: Parameters<typeof accountPreview>[1],
  decide: (asked: AccountChange) => Decided<Result<Account, Problem>>,
): Promise<Result<AccountPreview, Problem>> {
  const { store, clock, catalogue } = services
  const account = await accountOfId(services, id)
  if (account === null) return err("There is no such account.")
  const { userId } = account
  const { otherAdministrator } = await store.read({ otherAdministrator: userId })
  const { answer, changes } = decide({ account, otherAdministrator, now: clock.now(), address: null })
  if (!answer.ok) return answer
  const consents = await consentsOf(services, { userId })
  const ceilings = await ceilingsOf(services, consents)
  const shown = changes.length === 0 ? "nothing" : change
  const preview = accountPreview(catalogue, shown, consents, (clientId) => ceilings.get(clientId) ?? [])
  return ok({ account: answer.value, preview, appsWithoutOwner: [] })
}

function consentsOf({ store, clock }: Needs, of: Parameters<Needs["store"]["consentsOf"]>[0]) {
  return store.consentsOf(of, clock.now())
}

async function ceilingsOf(
  { store }: Needs,
  consents: readonly HeldConsent[],
): Promise<ReadonlyMap<ClientId, readonly Permission[]>> {
  const ids = [...new Set(consents.map(({ clientId }) => clientId))]
  const found = await Promise.all(ids.map((clientId) => store.read({ client: clientId })))
  return new Map(found.flatMap(({ client }) => (client === null ? [] : [[client.clientId, client.ceiling]])))
}
