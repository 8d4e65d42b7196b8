/** Registers and changes an app as a request asks. The whole request is checked before anything is written. */
import { addApp } from "../../apps/add-app.ts"
import {
  addedGroupsProblem,
  type App,
  findManagedApp,
  findNamed,
  type Manager,
  type ManagersUpdate,
  setAppEnabled,
  updateApp,
} from "../../apps/app.ts"
import { clientAfter, parseAppRegistration } from "../../apps/own-app.rules.ts"
import { previewAppEnd, previewAppUpdate } from "../../apps/preview.ts"
import { anonymizedPreviewRecord, previewRecord } from "../../apps/preview/preview-record.ts"
import type { ClientId } from "../../kernel/ids.ts"
import type { Client } from "../../model/clients/client.rules.ts"
import { bindingProblem, workloadProblem } from "../../oauth/credential/binding.rules.ts"
import { keysProblem } from "../../platform/statements/verification-key.ts"
import { refused, unknown } from "../../platform/http/api-error.ts"
import type { Services } from "../../platform/services/services.ts"
import { success } from "../api/call.ts"
import { type AppUpdateBody, keysIn, type NewAppBody, newAppIn, updateIn } from "./app-input.ts"
import { appRecord, registeredAppRecord } from "./app-record.ts"

export async function registerApp(services: Services, body: NewAppBody, by: Manager) {
  const keys = keysIn(body)
  if (!keys.ok) return refused("INVALID_ARGUMENT", keys.error)
  const unusable = await keysProblem(keys.value)
  if (unusable !== null) return refused("INVALID_ARGUMENT", unusable)
  const app = { ...newAppIn(body), keys: keys.value }
  const checked = parseAppRegistration(services.catalog, app, by.owner)
  if (!checked.ok) return refused("INVALID_ARGUMENT", checked.error)
  const problem = await namesProblem(services, app, {
    type: app.type,
    registeredBy: "administrator",
    groups: [],
    binding: null,
    keys: null,
  })
  if (problem !== null) return refused("INVALID_ARGUMENT", problem)
  const added = await addApp(services, app, by)
  return added.ok ? success(registeredAppRecord(added.value)) : refused("CONFLICT", added.error)
}

export async function changeApp(
  services: Services,
  before: App,
  body: AppUpdateBody,
  by: Manager,
  isPreview: boolean,
) {
  const keys = keysIn(body)
  if (!keys.ok) return refused("INVALID_ARGUMENT", keys.error)
  const update = { ...updateIn(body), keys: keys.value ?? undefined }
  const after = clientAfter(services.catalog, before.client, update, by.owner)
  if (!after.ok) return refused("INVALID_ARGUMENT", after.error)
  const problem = (await keysProblem(keys.value)) ?? (await namesProblem(services, update, before.client))
  if (problem !== null) return refused("INVALID_ARGUMENT", problem)
  const write = isPreview ? previewed : changed
  return write(services, before.client.clientId, { ...update, enabled: body.enabled }, by)
}

/** Returns the problem of the accounts and groups that a body names. Returns null if they are valid or not named. */
async function namesProblem(
  services: Services,
  {
    ownerName,
    serviceAccountName,
    groups,
    keys,
  }: Pick<ManagersUpdate, "ownerName" | "serviceAccountName" | "groups"> & {
    readonly keys: Client["keys"] | undefined
  },
  client: Pick<Client, "type" | "registeredBy" | "groups" | "binding" | "keys">,
): Promise<string | null> {
  const missing = await addedGroupsProblem(services, client, { groups })
  if (missing !== null) return `body.groups: ${missing}`
  const owner = await findNamed(services, ownerName)
  if (!owner.ok) return `body.owner: ${owner.error}`
  const bound = await findNamed(services, serviceAccountName)
  if (!bound.ok) return `body.service_account: ${bound.error}`
  const binding = serviceAccountName === undefined ? client.binding : bound.value
  const after = { keys: keys ?? client.keys, binding }
  const problem = bindingProblem(client, bound.value) ?? workloadProblem(client, after)
  return problem === null ? null : `body.service_account: ${problem}`
}

type Update = ManagersUpdate & { readonly enabled: boolean | undefined }

/**
 * Applies the checked update. The app is enabled first, because only this step can still fail. If this step fails,
 * nothing is written.
 */
async function changed(services: Services, id: ClientId, { enabled, ...update }: Update, by: Manager) {
  const switched = enabled === undefined ? null : await setAppEnabled(services, id, enabled, by)
  if (switched?.ok === false) return refused("CONFLICT", switched.error)
  const isUpdate = Object.values(update).some((value) => value !== undefined)
  if (switched !== null && !isUpdate) return success(appRecord(switched.value))
  const updated = isUpdate
    ? await updateApp(services, id, update, by)
    : await findManagedApp(services, id, by)
  return updated.ok ? success(appRecord(updated.value)) : refused("CONFLICT", updated.error)
}

/**
 * Previews the change. Disabling an app ends all its access, so the preview of disabling includes every other change.
 */
async function previewed(services: Services, id: ClientId, { enabled, ...update }: Update, by: Manager) {
  const seen = await previewAppUpdate(services, id, update, by)
  const end = enabled === false ? await previewAppEnd(services, id, "disabled", by) : seen
  if (!seen.ok || !end.ok) return unknown("app")
  const { client, ...accounts } = seen.value.app
  const after = { client: { ...client, enabled: enabled ?? client.enabled }, ...accounts }
  const asRecord = by.owner === null ? previewRecord : anonymizedPreviewRecord
  return success({ ...appRecord(after), preview: asRecord(end.value.preview) })
}
