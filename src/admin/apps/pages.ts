/** The console pages of apps. */
import { lazyModule } from "../../platform/http/lazy-module.ts"
import { type ConsoleRoute, form, page } from "../console/console-route.ts"

const apps = lazyModule(() => import("./administrator-pages.ts"))
const actions = lazyModule(() => import("./app-actions.ts"))

export const appPages: readonly ConsoleRoute[] = [
  page("/console/apps", apps("showApps")),
  page("/console/app", apps("showApp")),
  form("/console/app/new", apps("showNewApp"), apps("submitNewApp")),
  form("/console/app/edit", apps("showEdit"), apps("submitEdit")),
  { ...form("/console/app/icon", apps("showIcon"), apps("submitIcon")), takesPicture: true },
  form("/console/app/act", actions("showAppAction"), actions("submitAppAction")),
]
