/** The handlers of the console. `console-routes.ts` loads them together. */
import type { Answers } from "./console-routes.ts"
import {
  showAccount,
  showPassword,
  showRename,
  submitPassword,
  submitRename,
} from "./accounts/management/account.endpoint.ts"
import { accountDeeds } from "./accounts/management/account-actions.ts"
import { showAccounts, showNewAccount, submitNewAccount } from "./accounts/management/accounts.endpoint.ts"
import { appDeeds } from "./apps/console/app-actions.ts"
import { showEdit, showNewApp, submitEdit, submitNewApp } from "./apps/console/app-form.endpoint.ts"
import { showIcon, submitIcon } from "./apps/console/app-icon.endpoint.ts"
import { showApp, showApps } from "./apps/console/apps.endpoint.ts"
import {
  showCredential,
  showRevoke,
  submitRevoke,
} from "./oauth/credential/management/credential.endpoint.ts"
import { showCredentials } from "./oauth/credential/management/credentials.endpoint.ts"
import { exportEvents, showEvents } from "./audit/pages/events.endpoint.ts"
import { showHealth } from "./statistics/pages/health.endpoint.ts"
import { showOverview } from "./statistics/pages/overview.endpoint.ts"
import { showSetting, showSettings, submitSetting } from "./settings/settings.endpoint.ts"

export const answers: Answers = {
  "/console": { get: showOverview },
  "/console/accounts": { get: showAccounts },
  "/console/account": { get: showAccount },
  "/console/account/new": { get: showNewAccount, post: submitNewAccount },
  "/console/account/rename": { get: showRename, post: submitRename },
  "/console/account/password": { get: showPassword, post: submitPassword },
  "/console/account/act": accountDeeds,
  "/console/apps": { get: showApps },
  "/console/app": { get: showApp },
  "/console/app/new": { get: showNewApp, post: submitNewApp },
  "/console/app/edit": { get: showEdit, post: submitEdit },
  "/console/app/icon": { get: showIcon, post: submitIcon },
  "/console/app/act": appDeeds,
  "/console/credentials": { get: showCredentials },
  "/console/credential": { get: showCredential },
  "/console/credential/revoke": { get: showRevoke, post: submitRevoke },
  "/console/events": { get: showEvents },
  "/console/events/export": { get: exportEvents },
  "/console/health": { get: showHealth },
  "/console/settings": { get: showSettings },
  "/console/setting": { get: showSetting, post: submitSetting },
}
