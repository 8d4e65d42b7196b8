/**
 * The routes of the console. Its code is a fifth of the service, and the first visit loads it, so that the start is
 * fast. Loading it at the start made some processes a third slower for their whole lifetime (bench, V8 13.6).
 */
import type { Endpoint } from "./platform/http/endpoint.ts"
import { lazyModule } from "./platform/http/lazy-module.ts"

export type ConsoleRoute = {
  readonly path: string
  readonly get: Endpoint
  readonly post?: Endpoint
  readonly takesPicture: boolean
}

const accounts = lazyModule(() => import("./admin/accounts/accounts.endpoint.ts"))
const account = lazyModule(() => import("./admin/accounts/account.endpoint.ts"))
const accountActions = lazyModule(() => import("./admin/accounts/account-actions.ts"))
const apps = lazyModule(() => import("./admin/apps/administrator-pages.ts"))
const appActions = lazyModule(() => import("./admin/apps/app-actions.ts"))
const credentials = lazyModule(() => import("./admin/credentials/credentials.endpoint.ts"))
const credential = lazyModule(() => import("./admin/credentials/credential.endpoint.ts"))
const documents = lazyModule(() => import("./admin/documents/documents.endpoint.ts"))
const events = lazyModule(() => import("./admin/events/events.endpoint.ts"))
const health = lazyModule(() => import("./admin/statistics/health.endpoint.ts"))
const mails = lazyModule(() => import("./admin/mail/mail.endpoint.ts"))
const overview = lazyModule(() => import("./admin/statistics/overview.endpoint.ts"))
const providers = lazyModule(() => import("./admin/providers/providers.endpoint.ts"))
const settings = lazyModule(() => import("./admin/settings/settings.endpoint.ts"))
const shared = lazyModule(() => import("./admin/console/console-page.ts"))

export const consoleRoutes: readonly ConsoleRoute[] = [
  page("/console", overview("showOverview")),
  page("/console/accounts", accounts("showAccounts")),
  page("/console/account", account("showAccount")),
  form("/console/account/new", accounts("showNewAccount"), accounts("submitNewAccount")),
  form("/console/account/rename", account("showRename"), account("submitRename")),
  form("/console/account/password", account("showPassword"), account("submitPassword")),
  form("/console/account/act", accountActions("showAccountAction"), accountActions("submitAccountAction")),
  page("/console/apps", apps("showApps")),
  page("/console/app", apps("showApp")),
  form("/console/app/new", apps("showNewApp"), apps("submitNewApp")),
  form("/console/app/edit", apps("showEdit"), apps("submitEdit")),
  { ...form("/console/app/icon", apps("showIcon"), apps("submitIcon")), takesPicture: true },
  form("/console/app/act", appActions("showAppAction"), appActions("submitAppAction")),
  page("/console/documents", documents("showDocuments")),
  page("/console/credentials", credentials("showCredentials")),
  page("/console/credential", credential("showCredential")),
  form("/console/credential/revoke", credential("showRevoke"), credential("submitRevoke")),
  page("/console/events", events("showEvents")),
  page("/console/events/export", events("exportEvents")),
  page("/console/health", health("showHealth")),
  form("/console/providers", providers("showProviders"), providers("submitProviders")),
  page("/console/mail", mails("showMails")),
  page("/console/settings", settings("showSettings")),
  form("/console/setting", settings("showSetting"), settings("submitSetting")),
]

/** Handles any unknown path below the console. */
export const consoleNotFound = shared("showNotFound")

function page(path: string, get: Endpoint): ConsoleRoute {
  return { path, get, takesPicture: false }
}

/** A page whose form is sent to the path of the page. */
function form(path: string, get: Endpoint, post: Endpoint): ConsoleRoute {
  return { ...page(path, get), post }
}
