/** The console pages of accounts. */
import { lazyModule } from "../../platform/http/lazy-module.ts"
import { type ConsoleRoute, form, page } from "../console/console-route.ts"

const accounts = lazyModule(() => import("./accounts.endpoint.ts"))
const account = lazyModule(() => import("./account.endpoint.ts"))
const actions = lazyModule(() => import("./account-actions.ts"))

export const accountPages: readonly ConsoleRoute[] = [
  page("/console/accounts", accounts("showAccounts")),
  page("/console/account", account("showAccount")),
  form("/console/account/new", accounts("showNewAccount"), accounts("submitNewAccount")),
  form("/console/account/rename", account("showRename"), account("submitRename")),
  form("/console/account/password", account("showPassword"), account("submitPassword")),
  form("/console/account/act", actions("showAccountAction"), actions("submitAccountAction")),
]
