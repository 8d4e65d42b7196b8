/** Operations on settings, for administrators. */
import { refused, unknown } from "../../platform/http/api-error.ts"
import { record, text } from "../../platform/json/shape.rules.ts"
import { byAdministrator, success } from "../api/call.ts"
import { type Operation, operation } from "../api/operation.ts"
import { pageOf } from "../api/paging.ts"
import { findSetting, listSettings, setSetting, settingShape, unsetSetting } from "./setting.ts"

export const settingOperations: readonly Operation[] = [
  operation("GET", "/api/admin/settings", "adminListSettings", {
    summary: "List the settings with their current values",
    needs: ["admin:settings"],
    answers: pageOf("SettingPage", settingShape),
    run: async ({ services }) => success({ items: await listSettings(services), next: null }),
  }),
  operation("GET", "/api/admin/settings/{key}", "adminGetSetting", {
    summary: "Get a setting",
    needs: ["admin:settings"],
    answers: settingShape,
    refuses: ["NOT_FOUND"],
    run: async ({ services, path }) => {
      const found = await findSetting(services, path.key)
      return found.ok ? success(found.value) : unknown("setting")
    },
  }),
  operation("PUT", "/api/admin/settings/{key}", "adminSetSetting", {
    summary: "Change a setting; takes effect within a second",
    needs: ["admin:settings"],
    body: record("SettingValue", { value: text("The value as text.", "3600", { most: 10_000 }) }),
    answers: settingShape,
    refuses: ["NOT_FOUND"],
    run: async ({ services, path, body, ...call }) => {
      const found = await findSetting(services, path.key)
      if (!found.ok) return unknown("setting")
      const set = await setSetting(services, path.key, body.value, byAdministrator(call))
      return set.ok ? success(set.value) : refused("INVALID_ARGUMENT", set.error)
    },
  }),
  operation("DELETE", "/api/admin/settings/{key}", "adminUnsetSetting", {
    summary: "Reset a setting to its default",
    needs: ["admin:settings"],
    answers: settingShape,
    refuses: ["NOT_FOUND"],
    run: async ({ services, path, ...call }) => {
      const unset = await unsetSetting(services, path.key, byAdministrator(call))
      return unset.ok ? success(unset.value) : unknown("setting")
    },
  }),
]
