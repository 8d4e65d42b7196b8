/**
 * The routes of the console. Its code is a fifth of the service, and the first visit loads it, so that the start is
 * fast. Loading it at the start made some processes a third slower for their whole lifetime (bench, V8 13.6).
 */
import type { Endpoint } from "./platform/http/endpoint.ts"

export type ConsoleRoute = {
  readonly path: string
  readonly get: Endpoint
  readonly post?: Endpoint
  readonly takesPicture: boolean
}

const loaders = new Set<() => Promise<unknown>>()

const accounts = () => import("./admin/accounts/accounts.endpoint.ts")
const account = () => import("./admin/accounts/account.endpoint.ts")
const accountActions = () => import("./admin/accounts/account-actions.ts")
const apps = () => import("./admin/apps/administrator-pages.ts")
const appActions = () => import("./admin/apps/app-actions.ts")
const credentials = () => import("./admin/credentials/credentials.endpoint.ts")
const credential = () => import("./admin/credentials/credential.endpoint.ts")
const documents = () => import("./admin/documents/documents.endpoint.ts")
const events = () => import("./admin/events/events.endpoint.ts")
const health = () => import("./admin/statistics/health.endpoint.ts")
const mails = () => import("./admin/mail/mail.endpoint.ts")
const overview = () => import("./admin/statistics/overview.endpoint.ts")
const providers = () => import("./admin/providers/providers.endpoint.ts")
const settings = () => import("./admin/settings/settings.endpoint.ts")
const shared = () => import("./admin/console/console-page.ts")

export const consoleRoutes: readonly ConsoleRoute[] = [
  page("/console", overview, (of) => of.showOverview),
  page("/console/accounts", accounts, (of) => of.showAccounts),
  page("/console/account", account, (of) => of.showAccount),
  form("/console/account/new", accounts, (of) => [of.showNewAccount, of.submitNewAccount]),
  form("/console/account/rename", account, (of) => [of.showRename, of.submitRename]),
  form("/console/account/password", account, (of) => [of.showPassword, of.submitPassword]),
  form("/console/account/act", accountActions, (of) => [of.accountActions.get, of.accountActions.post]),
  page("/console/apps", apps, (of) => of.showApps),
  page("/console/app", apps, (of) => of.showApp),
  form("/console/app/new", apps, (of) => [of.showNewApp, of.submitNewApp]),
  form("/console/app/edit", apps, (of) => [of.showEdit, of.submitEdit]),
  { ...form("/console/app/icon", apps, (of) => [of.showIcon, of.submitIcon]), takesPicture: true },
  form("/console/app/act", appActions, (of) => [of.appActions.get, of.appActions.post]),
  page("/console/documents", documents, (of) => of.showDocuments),
  page("/console/credentials", credentials, (of) => of.showCredentials),
  page("/console/credential", credential, (of) => of.showCredential),
  form("/console/credential/revoke", credential, (of) => [of.showRevoke, of.submitRevoke]),
  page("/console/events", events, (of) => of.showEvents),
  page("/console/events/export", events, (of) => of.exportEvents),
  page("/console/health", health, (of) => of.showHealth),
  form("/console/providers", providers, (of) => [of.showProviders, of.submitProviders]),
  page("/console/mail", mails, (of) => of.showMails),
  page("/console/settings", settings, (of) => of.showSettings),
  form("/console/setting", settings, (of) => [of.showSetting, of.submitSetting]),
]

/** Handles any unknown path below the console. */
export const consoleNotFound = lazy(shared, (of) => of.showNotFound)

/** Loads the code of all console pages. */
export function loadConsole(): Promise<unknown> {
  return Promise.all(Array.from(loaders, (load) => load()))
}

function page<M>(path: string, load: () => Promise<M>, endpointOf: (of: M) => Endpoint): ConsoleRoute {
  return { path, get: lazy(load, endpointOf), takesPicture: false }
}

/** Adds the routes of a page whose form is sent to the path of the page. */
function form<M>(
  path: string,
  load: () => Promise<M>,
  endpointsOf: (of: M) => readonly [get: Endpoint, post: Endpoint],
): ConsoleRoute {
  const post = lazy(load, (of) => endpointsOf(of)[1])
  return { ...page(path, load, (of) => endpointsOf(of)[0]), post }
}

function lazy<M>(load: () => Promise<M>, endpointOf: (of: M) => Endpoint): Endpoint {
  loaders.add(load)
  return async (...visit) => endpointOf(await load())(...visit)
}
