/** Operations on settings, for administrators. */
import { lazyHandlers, type Operation, operation } from "../api/operation.ts"
import { pageOf } from "../api/paging.ts"
import { settingShape, settingValue } from "./setting.shapes.ts"

const handlers = lazyHandlers(() => import("./setting.handlers.ts"))

export const settingOperations: readonly Operation[] = [
  operation("GET", "/api/admin/settings", "adminListSettings", {
    summary: "List the settings with their current values",
    needs: ["admin:settings"],
    answers: pageOf("SettingPage", settingShape),
    run: handlers((of) => of.getSettings),
  }),
  operation("GET", "/api/admin/settings/{key}", "adminGetSetting", {
    summary: "Get a setting",
    needs: ["admin:settings"],
    answers: settingShape,
    refuses: ["NOT_FOUND"],
    run: handlers((of) => of.getSetting),
  }),
  operation("PUT", "/api/admin/settings/{key}", "adminSetSetting", {
    summary: "Change a setting; takes effect within a second",
    needs: ["admin:settings"],
    body: settingValue,
    answers: settingShape,
    refuses: ["NOT_FOUND"],
    run: handlers((of) => of.putSetting),
  }),
  operation("DELETE", "/api/admin/settings/{key}", "adminUnsetSetting", {
    summary: "Reset a setting to its default",
    needs: ["admin:settings"],
    answers: settingShape,
    refuses: ["NOT_FOUND"],
    run: handlers((of) => of.deleteSetting),
  }),
]
