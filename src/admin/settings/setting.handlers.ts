/** API operations on settings, for administrators. */
import { findSetting, listSettings, setSetting, unsetSetting } from "./setting.ts"
import { refused, unknown } from "../../platform/http/api-error.ts"
import { byAdministrator, type Call, success } from "../api/call.ts"

export async function getSettings({ context }: Call) {
  return success({ items: await listSettings(context.services), next: null })
}

export async function getSetting({ context, path }: Call<"key">) {
  const found = await findSetting(context.services, path.key)
  return found.ok ? success(found.value) : unknown("setting")
}

export async function putSetting(call: Call<"key", null, { readonly value: string }>) {
  const { services } = call.context
  const { key } = call.path
  const found = await findSetting(services, key)
  if (!found.ok) return unknown("setting")
  const set = await setSetting(services, key, call.body.value, byAdministrator(call))
  return set.ok ? success(set.value) : refused("INVALID_ARGUMENT", set.error)
}

export async function deleteSetting(call: Call<"key">) {
  const unset = await unsetSetting(call.context.services, call.path.key, byAdministrator(call))
  return unset.ok ? success(unset.value) : unknown("setting")
}
