/** Operations on one registered app; `managerOf` says for whom. */
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
} from "../app.ts"
import { removeIcon, setIcon } from "../icon/icon.ts"
import { clientAfter } from "../own-app.rules.ts"
import { previewAppEnd, previewAppUpdate } from "../preview.ts"
import { anonymizedText } from "../../permissions/preview/anonymized-count.rules.ts"
import { anonymizedPreviewRecord, previewRecord } from "../../permissions/preview/preview-record.ts"
import type { Services } from "../../services/services.ts"
import { appHealth } from "../../statistics/statistics.ts"
import { refused, unknown } from "../../http/api-error.ts"
import type { ManagerOf } from "./manager.ts"
import { type Call, success } from "../../api/kit/operation.ts"
import { appRecord } from "../../api/records/responses.ts"
import { healthRecord } from "../../api/records/statistics-responses.ts"
import { findAccount } from "../../accounts/find-account.ts"
import { namesOf } from "../../permissions/scope.rules.ts"

type Update = {
  readonly client_name?: string | undefined
  readonly redirect_uris?: readonly string[] | undefined
  readonly scope?: string | undefined
  readonly step_up?: boolean | undefined
  readonly enabled?: boolean | undefined
  readonly verified?: boolean | undefined
  readonly resource_server?: boolean | undefined
  readonly owner?: string | null | undefined
}
type Preview = { readonly preview?: boolean | undefined }

export function getApp(managerOf: ManagerOf) {
  return async (call: Call<"client_id">) => {
    const found = await findManagedApp(call.context.services, call.path.client_id, await managerOf(call))
    return found.ok ? success(recordOf(found.value)) : unknown("app")
  }
}

/** The whole request is checked before anything is written; `preview` writes nothing. */
export function patchApp(managerOf: ManagerOf) {
  return async (call: Call<"client_id", Preview, Update>) => {
    const { services } = call.context
    const by = await managerOf(call)
    const id = call.path.client_id
    const found = await findManagedApp(services, id, by)
    if (!found.ok) return unknown("app")
    const update = updateOf(call.body)
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
  { ownerName, ...update }: ManagersUpdate,
) {
  const after = clientAfter(services.catalogue, client, update, owner)
  if (!after.ok) return after.error
  if (ownerName === undefined || ownerName === null) return null
  const named = await findAccount(services, ownerName)
  return named.ok ? null : `body.owner: ${named.error}`
}

/** Enabling comes first because it may still fail. The update was checked before, so all is written or nothing. */
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
  if (switched !== null && !isUpdate) return success(recordOf(switched.value))
  const updated = isUpdate
    ? await updateApp(services, clientId, update, by)
    : await findManagedApp(services, clientId, by)
  return updated.ok ? success(recordOf(updated.value)) : refused("CONFLICT", updated.error)
}

/** A disabled app reaches nothing, so the preview of disabling includes that of every other change. */
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
  const { client, owner } = seen.value.app
  const after = { client: { ...client, enabled: enabled ?? client.enabled }, owner }
  const asRecord = by.owner === null ? previewRecord : anonymizedPreviewRecord
  return success({ ...recordOf(after), preview: asRecord(end.value.preview) })
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
      ? success({ ...recordOf(rotated.value), client_secret: rotated.value.secret })
      : refused("CONFLICT", rotated.error)
  }
}

/** The picture is drawn only if the app exists. */
export function putIcon(managerOf: ManagerOf) {
  return async (call: Call<"client_id", null, Uint8Array>) => {
    const { services } = call.context
    const by = await managerOf(call)
    const found = await findManagedApp(services, call.path.client_id, by)
    if (!found.ok) return unknown("app")
    const set = await setIcon(services, call.path.client_id, call.body, by)
    return set.ok ? success(recordOf(set.value)) : refused("INVALID_ARGUMENT", `body: ${set.error}`)
  }
}

export function deleteIcon(managerOf: ManagerOf) {
  return async (call: Call<"client_id">) => {
    const removed = await removeIcon(call.context.services, call.path.client_id, await managerOf(call))
    return removed.ok ? success(recordOf(removed.value)) : unknown("app")
  }
}

const DAYS = 30

export function getHealth(managerOf: ManagerOf) {
  return async (call: Call<"client_id", { readonly days?: number | undefined }>) => {
    const { services } = call.context
    const found = await findManagedApp(services, call.path.client_id, await managerOf(call))
    if (!found.ok) return unknown("app")
    const { clientId } = found.value.client
    const days = call.query.days ?? DAYS
    return success(healthRecord(await appHealth(services, clientId, days, "finished")))
  }
}

/** How many accounts use it, never which; for an owner the numbers are rounded. */
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

export function recordOf({ client, owner }: App) {
  return appRecord(client, owner)
}

/** The schema of an owner's update has no members for what only administrators change. */
function updateOf(body: Update): ManagersUpdate {
  return {
    name: body.client_name,
    redirectUris: body.redirect_uris,
    permissions: body.scope === undefined ? undefined : namesOf(body.scope),
    stepUp: body.step_up,
    verified: body.verified,
    resourceServer: body.resource_server,
    ownerName: body.owner,
  }
}
