/** The console pages of settings. */
import { lazyModule } from "../../platform/http/lazy-module.ts"
import { type ConsoleRoute, form, page } from "../console/console-route.ts"

const settings = lazyModule(() => import("./settings.endpoint.ts"))

export const settingPages: readonly ConsoleRoute[] = [
  page("/console/settings", settings("showSettings")),
  form("/console/setting", settings("showSetting"), settings("submitSetting")),
]
