/** Operations for administrators: the second half of the table. */
import { administratorOf } from "../apps/management/manager.ts"
import {
  changeOfAdministration,
  grantOfAdministration,
  powerForAnApp,
  unlessOwnCredential,
} from "./elevation.ts"
import * as requests from "./records/requests.ts"
import { operation } from "./kit/operation.ts"
import { factors } from "./own-operations.ts"
import { pageOf } from "./kit/paging.ts"
import * as responses from "./records/responses.ts"
import * as accounts from "../accounts/management/admin-account.operations.ts"
import * as app from "../apps/management/app.operations.ts"
import * as apps from "../apps/management/apps.operations.ts"
import * as credentials from "../oauth/credential/management/credential.operations.ts"
import * as events from "../audit/pages/event.operations.ts"
import * as settings from "../settings/setting.operations.ts"
import * as counted from "../statistics/pages/statistics.operations.ts"
import * as statistics from "./records/statistics-responses.ts"

const accountOperations = [
  operation("GET", "/api/admin/accounts", "adminListAccounts", {
    summary: "List the accounts, oldest first",
    needs: ["admin:accounts"],
    query: requests.accountQuery,
    answers: pageOf("AccountPage", responses.account),
    run: accounts.listAccounts,
  }),
  operation("POST", "/api/admin/accounts", "adminAddAccount", {
    summary: "Add an account",
    needs: ["admin:accounts"],
    elevationRule: grantOfAdministration,
    body: requests.newAccount,
    status: 201,
    answers: responses.account,
    refuses: ["ALREADY_EXISTS"],
    run: accounts.postAccount,
  }),
  operation("GET", "/api/admin/accounts/{user_id}", "adminGetAccount", {
    summary: "Get an account",
    needs: ["admin:accounts"],
    answers: responses.account,
    refuses: ["NOT_FOUND"],
    run: accounts.getAnyAccount,
  }),
  operation("PATCH", "/api/admin/accounts/{user_id}", "adminUpdateAccount", {
    summary: "Rename, enable or disable an account, grant or withdraw administration",
    notes: "All changes are made or none. The last enabled administrator cannot be disabled or withdrawn.",
    needs: ["admin:accounts"],
    elevationRule: changeOfAdministration,
    body: requests.accountUpdate,
    answers: responses.account,
    refuses: ["NOT_FOUND", "ALREADY_EXISTS", "CONFLICT"],
    run: accounts.patchAnyAccount,
  }),
  operation("DELETE", "/api/admin/accounts/{user_id}", "adminRemoveAccount", {
    summary: "Remove an account permanently",
    notes: "Its credentials are revoked. Its apps continue without an owner.",
    needs: ["admin:accounts"],
    refuses: ["NOT_FOUND", "CONFLICT"],
    run: accounts.deleteAccount,
  }),
  operation("PUT", "/api/admin/accounts/{user_id}/password", "adminSetPassword", {
    summary: "Set the password of an account and sign out every browser",
    needs: ["admin:accounts"],
    body: requests.newPassword,
    refuses: ["NOT_FOUND", "CONFLICT"],
    run: accounts.putPassword,
  }),
  operation("GET", "/api/admin/accounts/{user_id}/factors", "adminListFactors", {
    summary: "List the factors of an account, without secrets",
    needs: ["admin:accounts"],
    answers: factors,
    refuses: ["NOT_FOUND"],
    run: accounts.listFactorsOf,
  }),
  operation("DELETE", "/api/admin/accounts/{user_id}/factors", "adminResetFactors", {
    summary: "Remove every factor of an account and sign out every browser",
    needs: ["admin:accounts"],
    refuses: ["NOT_FOUND"],
    run: accounts.deleteFactorsOf,
  }),
]

const appOperations = [
  operation("GET", "/api/admin/apps", "adminListApps", {
    summary: "List the apps, oldest first",
    needs: ["admin:apps"],
    query: requests.appQuery,
    answers: pageOf("AppPage", responses.app),
    run: apps.listApps,
  }),
  operation("POST", "/api/admin/apps", "adminRegisterApp", {
    summary: "Register an app",
    needs: ["admin:apps"],
    elevationRule: powerForAnApp,
    body: requests.newApp,
    status: 201,
    answers: responses.registeredApp,
    refuses: ["CONFLICT"],
    run: apps.postApp(administratorOf),
  }),
  operation("GET", "/api/admin/apps/{client_id}", "adminGetApp", {
    summary: "Get an app",
    needs: ["admin:apps"],
    answers: responses.app,
    refuses: ["NOT_FOUND"],
    run: app.getApp(administratorOf),
  }),
  operation("PATCH", "/api/admin/apps/{client_id}", "adminUpdateApp", {
    summary: "Change an app, or preview the change with `preview=1`",
    notes: "Members that are left out do not change.",
    needs: ["admin:apps"],
    elevationRule: powerForAnApp,
    query: requests.previewQuery,
    body: requests.appUpdate,
    answers: responses.previewedApp,
    refuses: ["NOT_FOUND", "CONFLICT"],
    run: app.patchApp(administratorOf),
  }),
  operation("DELETE", "/api/admin/apps/{client_id}", "adminRemoveApp", {
    summary: "Remove an app and revoke its credentials",
    needs: ["admin:apps"],
    refuses: ["NOT_FOUND"],
    run: app.deleteApp(administratorOf),
  }),
  operation("POST", "/api/admin/apps/{client_id}/secret", "adminRotateSecret", {
    summary: "Create a new secret; the old one stops working immediately",
    needs: ["admin:apps"],
    answers: responses.appWithSecret,
    refuses: ["NOT_FOUND", "CONFLICT"],
    run: app.postSecret(administratorOf),
  }),
  operation("PUT", "/api/admin/apps/{client_id}/icon", "adminSetIcon", {
    summary: "Set the icon of an app; it is encoded again",
    needs: ["admin:apps"],
    body: requests.icon,
    answers: responses.app,
    refuses: ["NOT_FOUND"],
    run: app.putIcon(administratorOf),
  }),
  operation("DELETE", "/api/admin/apps/{client_id}/icon", "adminRemoveIcon", {
    summary: "Remove the icon of an app",
    needs: ["admin:apps"],
    answers: responses.app,
    refuses: ["NOT_FOUND"],
    run: app.deleteIcon(administratorOf),
  }),
  operation("GET", "/api/admin/apps/{client_id}/use", "adminGetUse", {
    summary: "Count the users of an app",
    needs: ["admin:apps"],
    answers: statistics.use,
    refuses: ["NOT_FOUND"],
    run: app.getUse(administratorOf),
  }),
  operation("GET", "/api/admin/apps/{client_id}/health", "adminGetHealth", {
    summary: "Get the health of an app, with advice for its developer",
    notes: statistics.FINISHED_DAYS,
    needs: ["admin:apps"],
    query: requests.healthQuery,
    answers: statistics.health,
    refuses: ["NOT_FOUND"],
    run: app.getHealth(administratorOf),
  }),
]

const credentialOperations = [
  operation("GET", "/api/admin/credentials", "adminListCredentials", {
    summary: "List the credentials, newest first",
    needs: ["admin:credentials"],
    query: requests.credentialQuery,
    answers: pageOf("CredentialPage", responses.credential),
    run: credentials.listCredentials,
  }),
  operation("GET", "/api/admin/credentials/{token_id}", "adminGetCredential", {
    summary: "Get a credential",
    needs: ["admin:credentials"],
    answers: responses.credential,
    refuses: ["NOT_FOUND"],
    run: credentials.getCredential,
  }),
  operation("DELETE", "/api/admin/credentials/{token_id}", "adminRevokeCredential", {
    summary: "Revoke a credential",
    needs: ["admin:credentials"],
    elevationRule: unlessOwnCredential,
    refuses: ["NOT_FOUND"],
    run: credentials.deleteCredential,
  }),
  operation("GET", "/api/admin/credentials/{token_id}/explanation", "adminExplainCredential", {
    summary: "Explain what a credential reaches",
    needs: ["admin:credentials"],
    answers: responses.explanation,
    refuses: ["NOT_FOUND"],
    run: credentials.getExplanation,
  }),
]

const serviceOperations = [
  operation("GET", "/api/admin/settings", "adminListSettings", {
    summary: "List the settings with their current values",
    needs: ["admin:settings"],
    answers: pageOf("SettingPage", responses.setting),
    run: settings.getSettings,
  }),
  operation("GET", "/api/admin/settings/{key}", "adminGetSetting", {
    summary: "Get a setting",
    needs: ["admin:settings"],
    answers: responses.setting,
    refuses: ["NOT_FOUND"],
    run: settings.getSetting,
  }),
  operation("PUT", "/api/admin/settings/{key}", "adminSetSetting", {
    summary: "Change a setting; takes effect within a second",
    needs: ["admin:settings"],
    body: requests.settingValue,
    answers: responses.setting,
    refuses: ["NOT_FOUND"],
    run: settings.putSetting,
  }),
  operation("DELETE", "/api/admin/settings/{key}", "adminUnsetSetting", {
    summary: "Reset a setting to its default",
    needs: ["admin:settings"],
    answers: responses.setting,
    refuses: ["NOT_FOUND"],
    run: settings.deleteSetting,
  }),
  operation("GET", "/api/admin/events", "adminListEvents", {
    summary: "List the audit trail, newest first",
    needs: ["admin:events"],
    query: requests.eventQuery,
    answers: pageOf("EventPage", responses.event),
    run: events.listEvents,
  }),
  operation("GET", "/api/admin/statistics", "adminGetOverview", {
    summary: "Get the statistics of the last day or month",
    notes: statistics.FINISHED_HOURS,
    needs: ["admin:events"],
    query: requests.overviewQuery,
    answers: statistics.overview,
    run: counted.getOverview,
  }),
  operation("GET", "/api/admin/statistics/apps", "adminListWorstApps", {
    summary: "List the apps with problems, the worst first",
    notes: statistics.FINISHED_DAYS,
    needs: ["admin:events"],
    query: requests.worstAppsQuery,
    answers: statistics.worstApps,
    run: counted.listWorstApps,
  }),
]

export const adminOperations = [
  ...accountOperations,
  ...appOperations,
  ...credentialOperations,
  ...serviceOperations,
]
