/** Operations on one app. `managerOf` decides between owner and administrator. */
import {
  type App,
  findManagedApp,
  type Manager,
  type ManagersUpdate,
  removeApp,
  rotateAppSecret,
  setAppEnabled,
  updateApp,
  usersOf,
} from "../../apps/app.ts"
import { parseJson } from "../../kernel/json.ts"
import { parseClientKeys } from "../../model/clients/key-set.rules.ts"
import { keysProblem } from "../../oauth/clients/verification-key.ts"
import { removeIcon, setIcon } from "../../apps/icon/icon.ts"
import { clientAfter } from "../../apps/own-app.rules.ts"
import { previewAppEnd, previewAppUpdate } from "../../apps/preview.ts"
import { anonymizedText } from "../../apps/preview/anonymized-count.rules.ts"
import { anonymizedPreviewRecord, previewRecord } from "../../apps/preview/preview-record.ts"
import type { Services } from "../../platform/services/services.ts"
import { appHealth } from "../../apps/statistics/statistics.ts"
import { refused, unknown } from "../../platform/http/api-error.ts"
import type { ManagerOf } from "./manager.ts"
import { type Call, success } from "../api/call.ts"
import type { Parsed } from "../../platform/json/shape.rules.ts"
import type * as requests from "../api/requests.ts"
import type { Account } from "../../model/account.rules.ts"
import { switchesFrom } from "../../model/clients/app-switches.rules.ts"
import { bindingProblem } from "../../oauth/credential/binding.rules.ts"
import { appRecord } from "../api/responses.ts"
import { DAYS, type healthQuery, healthRecord } from "../statistics/health-record.ts"
import { findAccount } from "../../accounts/find-account.ts"
import { namesOf } from "../../model/permissions/scope.rules.ts"

type Update = Parsed<typeof requests.appUpdate>
type Preview = Parsed<typeof requests.previewQuery>

export function getApp(managerOf: ManagerOf) {
  return async (call: Call<"client_id">) => {
    const found = await findManagedApp(call.context.services, call.path.client_id, await managerOf(call))
    return found.ok ? success(appRecord(found.value)) : unknown("app")
  }
}

/** Changes an app. Checks the whole request before writing anything. A request with `preview` writes nothing. */
export function patchApp(managerOf: ManagerOf) {
  return async (call: Call<"client_id", Preview, Update>) => {
    const { services } = call.context
    const by = await managerOf(call)
    const id = call.path.client_id
    const found = await findManagedApp(services, id, by)
    if (!found.ok) return unknown("app")
    const keys = keysOf(call.body)
    if (!keys.ok) return refused("INVALID_ARGUMENT", keys.error)
    const update = { ...updateOf(call.body), keys: keys.value ?? undefined }
    const problem = await problemOf(services, by, found.value, update)
    if (problem !== null) return refused("INVALID_ARGUMENT", problem)
    return call.query.preview === true
      ? previewed(services, by, id, update, call.body)
      : patched(services, by, found.value, update, call.body)
  }
}

async function problemOf(
  services: Services,
  { owner }: Manager,
  { client }: App,
  { ownerName, serviceAccountName, ...update }: ManagersUpdate,
) {
  const after = clientAfter(services.catalog, client, update, owner)
  if (!after.ok) return after.error
  const unusable = await keysProblem(update.keys ?? null)
  if (unusable !== null) return unusable
  return (
    (await nameProblem(services, "body.owner", ownerName, () => null)) ??
    nameProblem(services, "body.service_account", serviceAccountName, (found) =>
      bindingProblem(client, found),
    )
  )
}

/** Returns the problem of the named account. Returns null if the account is valid or none is named. */
export async function nameProblem(
  services: Services,
  member: string,
  name: string | null | undefined,
  against: (account: Account) => string | null,
): Promise<string | null> {
  if (name === undefined || name === null) return null
  const named = await findAccount(services, name)
  const problem = named.ok ? against(named.value) : named.error
  return problem === null ? null : `${member}: ${problem}`
}

/**
 * Applies the checked update. The app is enabled first, because only this step can still fail. If this step fails,
 * nothing is written.
 */
async function patched(
  services: Services,
  by: Manager,
  before: App,
  update: ManagersUpdate,
  { enabled }: Update,
) {
  const { clientId } = before.client
  const switched = enabled === undefined ? null : await setAppEnabled(services, clientId, enabled, by)
  if (switched?.ok === false) return refused("CONFLICT", switched.error)
  const isUpdate = Object.values(update).some((value) => value !== undefined)
  if (switched !== null && !isUpdate) return success(appRecord(switched.value))
  const updated = isUpdate
    ? await updateApp(services, clientId, update, by)
    : await findManagedApp(services, clientId, by)
  return updated.ok ? success(appRecord(updated.value)) : refused("CONFLICT", updated.error)
}

/**
 * Previews the change. Disabling an app ends all its access, so the preview of disabling includes every other change.
 */
async function previewed(
  services: Services,
  by: Manager,
  id: string,
  update: ManagersUpdate,
  { enabled }: Update,
) {
  const seen = await previewAppUpdate(services, id, update, by)
  const end = enabled === false ? await previewAppEnd(services, id, "disabled", by) : seen
  if (!seen.ok || !end.ok) return unknown("app")
  const { client, ...accounts } = seen.value.app
  const after = { client: { ...client, enabled: enabled ?? client.enabled }, ...accounts }
  const asRecord = by.owner === null ? previewRecord : anonymizedPreviewRecord
  return success({ ...appRecord(after), preview: asRecord(end.value.preview) })
}

export function deleteApp(managerOf: ManagerOf) {
  return async (call: Call<"client_id">) => {
    const removed = await removeApp(call.context.services, call.path.client_id, await managerOf(call))
    return removed.ok ? success(null) : unknown("app")
  }
}

export function postSecret(managerOf: ManagerOf) {
  return async (call: Call<"client_id">) => {
    const { services } = call.context
    const by = await managerOf(call)
    const found = await findManagedApp(services, call.path.client_id, by)
    if (!found.ok) return unknown("app")
    const rotated = await rotateAppSecret(services, call.path.client_id, by)
    return rotated.ok
      ? success({ ...appRecord(rotated.value), client_secret: rotated.value.secret })
      : refused("CONFLICT", rotated.error)
  }
}

/** Finds the app first, because converting the picture is costly. */
export function putIcon(managerOf: ManagerOf) {
  return async (call: Call<"client_id", null, Uint8Array>) => {
    const { services } = call.context
    const by = await managerOf(call)
    const found = await findManagedApp(services, call.path.client_id, by)
    if (!found.ok) return unknown("app")
    const set = await setIcon(services, call.path.client_id, call.body, by)
    return set.ok ? success(appRecord(set.value)) : refused("INVALID_ARGUMENT", `body: ${set.error}`)
  }
}

export function deleteIcon(managerOf: ManagerOf) {
  return async (call: Call<"client_id">) => {
    const removed = await removeIcon(call.context.services, call.path.client_id, await managerOf(call))
    return removed.ok ? success(appRecord(removed.value)) : unknown("app")
  }
}

export function getHealth(managerOf: ManagerOf) {
  return async (call: Call<"client_id", Parsed<typeof healthQuery>>) => {
    const { services } = call.context
    const found = await findManagedApp(services, call.path.client_id, await managerOf(call))
    if (!found.ok) return unknown("app")
    const { clientId } = found.value.client
    const days = call.query.days ?? DAYS
    return success(healthRecord(await appHealth(services, clientId, days, "finished")))
  }
}

/**
 * Returns the number of accounts that use the app. Owners get a rounded number. Names of accounts are never returned.
 */
export function getUse(managerOf: ManagerOf) {
  return async (call: Call<"client_id">) => {
    const { services } = call.context
    const by = await managerOf(call)
    const found = await findManagedApp(services, call.path.client_id, by)
    if (!found.ok) return unknown("app")
    const { installations, accounts, isWhole } = await usersOf(services, found.value.client)
    const shown = (count: number) => (by.owner === null ? count : anonymizedText(count))
    return success({
      installations: shown(installations),
      accounts: shown(accounts),
      is_whole: isWhole,
    })
  }
}

/** Reads the keys that a body registers. Returns null if the body has no keys. */
export function keysOf({ jwks, jwks_uri: jwksUri }: Pick<Update, "jwks" | "jwks_uri">) {
  return parseClientKeys({ jwks: jwks && parseJson(JSON.stringify(jwks)), jwksUri })
}

/**
 * Converts a request body to an update. The schema for owners lacks the members that only administrators may change.
 */
function updateOf(body: Update): ManagersUpdate {
  return {
    name: body.client_name,
    redirectUris: body.redirect_uris,
    permissions: body.scope === undefined ? undefined : namesOf(body.scope),
    ...switchesFrom(({ name }) => body[name]),
    ownerName: body.owner,
    serviceAccountName: body.service_account,
  }
}
