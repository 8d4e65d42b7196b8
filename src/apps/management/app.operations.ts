/** Operations on one registered app; `deskOf` says whose apps they reach. */
import { findAccount } from "../../accounts/accounts.ts"
import type { AdministratorsUpdate, App } from "../app.ts"
import { useOf } from "../own-app-use.ts"
import { appHealth } from "../../statistics/statistics.ts"
import { refused, unknown } from "../../http/api-error.ts"
import type { Asking, AppManager } from "./app-manager.ts"
import { type Call, success } from "../../api/kit/operation.ts"
import { appRecord } from "../../api/records/responses.ts"
import { healthRecord } from "../../api/records/statistics-responses.ts"

type DeskOf = (asking: Asking) => AppManager
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

export function getApp(deskOf: DeskOf) {
  return async (call: Call<"client_id">) => {
    const found = await deskOf(call).find(call.path.client_id)
    return found.ok ? success(recordOf(found.value)) : unknown("app")
  }
}

/** The registration is judged before anything of it is written; `preview` writes nothing. */
export function patchApp(deskOf: DeskOf) {
  return async (call: Call<"client_id", Preview, Update>) => {
    const desk = deskOf(call)
    const id = call.path.client_id
    const found = await desk.find(id)
    if (!found.ok) return unknown("app")
    const update = updateOf(call.body)
    const problem = await problemOf(call, desk, found.value, update)
    if (problem !== null) return refused("INVALID_ARGUMENT", problem)
    return call.query.preview === true
      ? previewed(desk, id, update, call.body)
      : patched(desk, found.value, update, call.body)
  }
}

async function problemOf(
  { context }: Asking,
  desk: AppManager,
  { client }: App,
  update: AdministratorsUpdate,
) {
  const judged = await desk.judge(client, update)
  if (!judged.ok) return judged.error
  const { ownerName } = update
  if (ownerName === undefined || ownerName === null) return null
  const owner = await findAccount(context.services, ownerName)
  return owner.ok ? null : `body.owner: ${owner.error}`
}

/** What may yet be declined comes first: the update was judged before, so that all of it is made or nothing. */
async function patched(desk: AppManager, before: App, update: AdministratorsUpdate, { enabled }: Update) {
  const { clientId } = before.client
  const switched = enabled === undefined ? null : await desk.enable(clientId, enabled)
  if (switched?.ok === false) return refused("CONFLICT", switched.error)
  const isUpdate = Object.values(update).some((value) => value !== undefined)
  if (switched !== null && !isUpdate) return success(recordOf(switched.value))
  const updated = isUpdate ? await desk.update(clientId, update) : await desk.find(clientId)
  return updated.ok ? success(recordOf(updated.value)) : refused("CONFLICT", updated.error)
}

/** To disable an app takes all that it reaches, whatever else changes with it. */
async function previewed(desk: AppManager, id: string, update: AdministratorsUpdate, { enabled }: Update) {
  const seen = await desk.preview(id, update)
  const end = enabled === false ? await desk.previewDisabled(id) : seen
  if (!seen.ok || !end.ok) return unknown("app")
  const { client, owner } = seen.value.app
  const after = { client: { ...client, enabled: enabled ?? client.enabled }, owner }
  return success({ ...recordOf(after), preview: desk.previewed(end.value.preview) })
}

export function deleteApp(deskOf: DeskOf) {
  return async (call: Call<"client_id">) => {
    const removed = await deskOf(call).remove(call.path.client_id)
    return removed.ok ? success(null) : unknown("app")
  }
}

export function postSecret(deskOf: DeskOf) {
  return async (call: Call<"client_id">) => {
    const desk = deskOf(call)
    const found = await desk.find(call.path.client_id)
    if (!found.ok) return unknown("app")
    const rotated = await desk.rotate(call.path.client_id)
    return rotated.ok && rotated.value.secret !== null
      ? success({ ...recordOf(rotated.value), client_secret: rotated.value.secret })
      : refused("CONFLICT", rotated.ok ? "A public app has no secret." : rotated.error)
  }
}

/** The picture is drawn only for an app that is there. */
export function putIcon(deskOf: DeskOf) {
  return async (call: Call<"client_id", null, Uint8Array>) => {
    const desk = deskOf(call)
    const found = await desk.find(call.path.client_id)
    if (!found.ok) return unknown("app")
    const set = await desk.setIcon(call.path.client_id, call.body)
    return set.ok ? success(recordOf(set.value)) : refused("INVALID_ARGUMENT", `body: ${set.error}`)
  }
}

export function deleteIcon(deskOf: DeskOf) {
  return async (call: Call<"client_id">) => {
    const removed = await deskOf(call).removeIcon(call.path.client_id)
    return removed.ok ? success(recordOf(removed.value)) : unknown("app")
  }
}

const DAYS = 30

export function getHealth(deskOf: DeskOf) {
  return async (call: Call<"client_id", { readonly days?: number | undefined }>) => {
    const found = await deskOf(call).find(call.path.client_id)
    if (!found.ok) return unknown("app")
    const { clientId } = found.value.client
    const days = call.query.days ?? DAYS
    return success(healthRecord(await appHealth(call.context.services, clientId, days, "finished")))
  }
}

/** How many use it, never who. */
export function getUse(deskOf: DeskOf) {
  return async (call: Call<"client_id">) => {
    const desk = deskOf(call)
    const found = await desk.find(call.path.client_id)
    if (!found.ok) return unknown("app")
    const { installations, accounts, isWhole } = await useOf(call.context.services, found.value.client)
    return success({
      installations: desk.howMany(installations),
      accounts: desk.howMany(accounts),
      is_whole: isWhole,
    })
  }
}

export function recordOf({ client, owner }: App) {
  return appRecord(client, owner)
}

/** Of an account holder's own update, what belongs to administrators is not there: its shape has no such members. */
function updateOf(body: Update): AdministratorsUpdate {
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

export function namesOf(scope: string): readonly string[] {
  return scope.split(" ").filter((name) => name !== "")
}
