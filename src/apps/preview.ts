/**
 * Previews how a change affects live credentials. Applies the rules of the change, but writes nothing. PERM-5…PERM-7.
 */
import type { Account } from "../model/account.rules.ts"
import {
  type EndingChange,
  decideAdministration,
  decideDisabling,
  decideRemoval,
} from "../accounts/account-change.rules.ts"
import type { Decided } from "../model/change.rules.ts"
import type { Client } from "../model/clients/client.rules.ts"
import { type Problem, type Result, err, ok } from "../kernel/result.ts"
import { clientAfter } from "./own-app.rules.ts"
import { consentsOf, type PreviewedAccounts, previewOfAccounts } from "./preview/held-consents.ts"
import { appEndPreview, ceilingPreview, type ReachPreview } from "./preview/reach-preview.rules.ts"
import { bindingProblem, workloadProblem } from "../oauth/credential/binding.rules.ts"
import { accountOfId, endingChange, endingLoad } from "../accounts/account-by-id.ts"
import {
  addedGroupsProblem,
  type App,
  findManagedApp,
  findNamed,
  type Manager,
  type ManagersUpdate,
  type Managing,
  updateApp,
} from "./app.ts"
import type { Services } from "../platform/services/services.ts"
import { all, rowKeys } from "../store/list.ts"

type Needs = Pick<Services, "store" | "clock" | "catalog" | "providers">

/** The app as it is after an update or before a removal. */
export type AppPreview = { readonly app: App; readonly preview: ReachPreview }

/** Previews an update. Refuses an update that `updateApp` would refuse. */
export async function previewAppUpdate(
  services: Needs,
  id: string,
  { ownerName, serviceAccountName, ...update }: ManagersUpdate,
  by: Managing,
): Promise<Result<AppPreview, Problem>> {
  const found = await findManagedApp(services, id, by)
  if (!found.ok) return found
  const { client } = found.value
  const updated = clientAfter(services.catalog, client, update, by.owner)
  if (!updated.ok) return updated
  const missing = await addedGroupsProblem(services, client, by.owner === null ? update : {})
  if (missing !== null) return err(missing)
  const endsSecret = client.secretHash !== null && updated.value.secretHash === null
  const ofPermissions = await previewCeiling(services, client, updated.value)
  const preview = endsSecret ? { ...ofPermissions, endsSecret } : ofPermissions
  if (by.owner !== null) return ok({ app: { ...found.value, client: updated.value }, preview })
  const owner = ownerName === undefined ? ok(found.value.owner) : await findNamed(services, ownerName)
  if (!owner.ok) return owner
  const { serviceAccount: bound } = found.value
  const serviceAccount =
    serviceAccountName === undefined ? ok(bound) : await findNamed(services, serviceAccountName)
  if (!serviceAccount.ok) return serviceAccount
  const problem =
    bindingProblem(client, serviceAccount.value) ??
    workloadProblem(client, { keys: updated.value.keys, binding: serviceAccount.value })
  if (problem !== null) return err(problem)
  const after = { ...updated.value, ownerId: owner.value?.userId ?? null }
  return ok({ app: { client: after, owner: owner.value, serviceAccount: serviceAccount.value }, preview })
}

/**
 * Updates the app. Also returns the gained and lost access, or null for `preview` if neither
 * permissions nor groups changed.
 */
export async function updateAppWithPreview(
  services: Needs,
  id: string,
  update: ManagersUpdate,
  by: Manager,
): Promise<Result<{ readonly app: App; readonly preview: ReachPreview | null }, Problem>> {
  const before = await findManagedApp(services, id, by)
  if (!before.ok) return before
  const updated = await updateApp(services, id, update, by)
  if (!updated.ok) return updated
  const [one, other] = [before.value.client, updated.value.client]
  const isSame =
    one.ceiling.join(" ") === other.ceiling.join(" ") && one.groups.join(" ") === other.groups.join(" ")
  const preview = isSame ? null : await previewCeiling(services, before.value.client, updated.value.client)
  return ok({ app: updated.value, preview })
}

/** Previews disabling or removing an app. In both cases, the app loses all access. */
export async function previewAppEnd(
  services: Needs,
  id: string,
  end: "disabled" | "removed",
  by: Managing,
): Promise<Result<AppPreview, Problem>> {
  const found = await findManagedApp(services, id, by)
  if (!found.ok) return found
  const { client, ...accounts } = found.value
  const isSo = end === "disabled" && !client.enabled
  const change = isSo ? "nothing" : end === "disabled" ? "app-disabled" : "app-removed"
  const consents = await consentsOf(services, { clientId: client.clientId })
  const preview = appEndPreview(services, client, change, consents)
  return ok({
    app: { client: end === "disabled" ? { ...client, enabled: false } : client, ...accounts },
    preview,
  })
}

export type AccountPreview = {
  /** The account as it is after a change or before a removal. */
  readonly account: Account
  readonly preview: ReachPreview
  /** The apps that lose their owner if the account is removed. */
  readonly appsWithoutOwner: readonly Client[]
}

type AccountPreviewed = Result<AccountPreview, Problem>

/** Previews disabling an account. Fails for the last enabled administrator. */
export function previewAccountDisabling(services: Needs, id: string): Promise<AccountPreviewed> {
  return ofAccount(services, id, "account-disabled", decideDisabling)
}

/** Previews removing an account. Fails for the last enabled administrator. */
export async function previewAccountRemoval(services: Needs, id: string): Promise<AccountPreviewed> {
  const previewed = await ofAccount(services, id, "account-removed", decideRemoval)
  if (!previewed.ok) return previewed
  const ownerId = previewed.value.account.userId
  const appsWithoutOwner = await all((page) => services.store.clients(page, { ownerId }), rowKeys.clients)
  return ok({ ...previewed.value, appsWithoutOwner })
}

/** Previews granting or withdrawing administration. Fails for the last enabled administrator. */
export function previewAdministration(
  services: Needs,
  id: string,
  admin: boolean,
): Promise<AccountPreviewed> {
  const change = admin ? "administration-granted" : "administration-withdrawn"
  return ofAccount(services, id, change, (accountChange) => decideAdministration(accountChange, admin))
}

/** Previews other permissions and groups of an app. */
export async function previewCeiling(services: Needs, before: Client, after: Client): Promise<ReachPreview> {
  const consents = await consentsOf(services, { clientId: before.clientId })
  return ceilingPreview(services, before, after, consents)
}

async function ofAccount(
  services: Needs,
  id: string,
  change: PreviewedAccounts,
  decide: (change: EndingChange) => Decided<Result<Account, Problem>>,
): Promise<AccountPreviewed> {
  const { store, clock } = services
  const found = await accountOfId(services, id)
  if (found === null) return err("There is no such account.")
  const { userId } = found
  const ending = endingChange(await store.read(endingLoad(userId)), { now: clock.now(), address: null })
  if (ending === null) return err("There is no such account.")
  const { answer, changes } = decide(ending)
  if (!answer.ok) return answer
  const consents = await consentsOf(services, { userId })
  const shown = changes.length === 0 ? "nothing" : change
  const ends = shown === "account-disabled" || shown === "account-removed"
  const { value: after } = answer
  const preview = await previewOfAccounts(services, shown, consents, () => (ends ? null : after))
  const disabledServiceAccounts = ends ? ending.serviceAccounts.filter(({ enabled }) => enabled).length : 0
  return ok({ account: answer.value, preview: { ...preview, disabledServiceAccounts }, appsWithoutOwner: [] })
}
