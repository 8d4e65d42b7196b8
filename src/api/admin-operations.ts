/** What an app may do for an administrator who let it: the second half of the table of operations. */
import { administratorsDesk } from "../apps/management/app-manager.ts"
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
    summary: "Every account, oldest first",
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
    summary: "An account",
    needs: ["admin:accounts"],
    answers: responses.account,
    refuses: ["NOT_FOUND"],
    run: accounts.getAnyAccount,
  }),
  operation("PATCH", "/api/admin/accounts/{user_id}", "adminUpdateAccount", {
    summary: "Rename, enable or disable an account, grant or withdraw administration",
    notes: "All of it or nothing. The last enabled administrator stays one.",
    needs: ["admin:accounts"],
    elevationRule: changeOfAdministration,
    body: requests.accountUpdate,
    answers: responses.account,
    refuses: ["NOT_FOUND", "ALREADY_EXISTS", "CONFLICT"],
    run: accounts.patchAnyAccount,
  }),
  operation("DELETE", "/api/admin/accounts/{user_id}", "adminRemoveAccount", {
    summary: "Remove an account for good",
    notes: "Its credentials are revoked; its apps go on without an owner.",
    needs: ["admin:accounts"],
    refuses: ["NOT_FOUND", "CONFLICT"],
    run: accounts.deleteAccount,
  }),
  operation("PUT", "/api/admin/accounts/{user_id}/password", "adminSetPassword", {
    summary: "Set the password of an account, and sign every browser out",
    needs: ["admin:accounts"],
    body: requests.newPassword,
    refuses: ["NOT_FOUND", "CONFLICT"],
    run: accounts.putPassword,
  }),
  operation("GET", "/api/admin/accounts/{user_id}/factors", "adminListFactors", {
    summary: "The factors of an account, without their secrets",
    needs: ["admin:accounts"],
    answers: factors,
    refuses: ["NOT_FOUND"],
    run: accounts.listFactorsOf,
  }),
  operation("DELETE", "/api/admin/accounts/{user_id}/factors", "adminResetFactors", {
    summary: "Take every factor of an account away, and sign every browser out",
    needs: ["admin:accounts"],
    refuses: ["NOT_FOUND"],
    run: accounts.deleteFactorsOf,
  }),
]

const appOperations = [
  operation("GET", "/api/admin/apps", "adminListApps", {
    summary: "Every app, oldest first",
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
    run: apps.postApp,
  }),
  operation("GET", "/api/admin/apps/{client_id}", "adminGetApp", {
    summary: "An app",
    needs: ["admin:apps"],
    answers: responses.app,
    refuses: ["NOT_FOUND"],
    run: app.getApp(administratorsDesk),
  }),
  operation("PATCH", "/api/admin/apps/{client_id}", "adminUpdateApp", {
    summary: "Change an app, or (`preview=1`) see what the change would take",
    notes: "What is left out stays.",
    needs: ["admin:apps"],
    elevationRule: powerForAnApp,
    query: requests.previewQuery,
    body: requests.appUpdate,
    answers: responses.previewedApp,
    refuses: ["NOT_FOUND", "CONFLICT"],
    run: app.patchApp(administratorsDesk),
  }),
  operation("DELETE", "/api/admin/apps/{client_id}", "adminRemoveApp", {
    summary: "Remove an app, and revoke every credential that it holds",
    needs: ["admin:apps"],
    refuses: ["NOT_FOUND"],
    run: app.deleteApp(administratorsDesk),
  }),
  operation("POST", "/api/admin/apps/{client_id}/secret", "adminRotateSecret", {
    summary: "Make a new secret; the old one ends at once",
    needs: ["admin:apps"],
    answers: responses.appWithSecret,
    refuses: ["NOT_FOUND", "CONFLICT"],
    run: app.postSecret(administratorsDesk),
  }),
  operation("PUT", "/api/admin/apps/{client_id}/icon", "adminSetIcon", {
    summary: "Set the icon of an app; it is encoded again",
    needs: ["admin:apps"],
    body: requests.icon,
    answers: responses.app,
    refuses: ["NOT_FOUND"],
    run: app.putIcon(administratorsDesk),
  }),
  operation("DELETE", "/api/admin/apps/{client_id}/icon", "adminRemoveIcon", {
    summary: "Take the icon of an app away",
    needs: ["admin:apps"],
    answers: responses.app,
    refuses: ["NOT_FOUND"],
    run: app.deleteIcon(administratorsDesk),
  }),
  operation("GET", "/api/admin/apps/{client_id}/use", "adminGetUse", {
    summary: "How many use an app",
    needs: ["admin:apps"],
    answers: statistics.use,
    refuses: ["NOT_FOUND"],
    run: app.getUse(administratorsDesk),
  }),
  operation("GET", "/api/admin/apps/{client_id}/health", "adminGetHealth", {
    summary: "How an app fares, and what its developer should know",
    notes: statistics.FINISHED_DAYS,
    needs: ["admin:apps"],
    query: requests.healthQuery,
    answers: statistics.health,
    refuses: ["NOT_FOUND"],
    run: app.getHealth(administratorsDesk),
  }),
]

const credentialOperations = [
  operation("GET", "/api/admin/credentials", "adminListCredentials", {
    summary: "Every credential, newest first",
    needs: ["admin:credentials"],
    query: requests.credentialQuery,
    answers: pageOf("CredentialPage", responses.credential),
    run: credentials.listCredentials,
  }),
  operation("GET", "/api/admin/credentials/{token_id}", "adminGetCredential", {
    summary: "A credential",
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
    summary: "Why a credential reaches what it reaches, and why not what it does not",
    needs: ["admin:credentials"],
    answers: responses.explanation,
    refuses: ["NOT_FOUND"],
    run: credentials.getExplanation,
  }),
]

const serviceOperations = [
  operation("GET", "/api/admin/settings", "adminListSettings", {
    summary: "Every setting, with what is in force",
    needs: ["admin:settings"],
    answers: pageOf("SettingPage", responses.setting),
    run: settings.getSettings,
  }),
  operation("GET", "/api/admin/settings/{key}", "adminGetSetting", {
    summary: "A setting",
    needs: ["admin:settings"],
    answers: responses.setting,
    refuses: ["NOT_FOUND"],
    run: settings.getSetting,
  }),
  operation("PUT", "/api/admin/settings/{key}", "adminSetSetting", {
    summary: "Change a setting; in force within a second",
    needs: ["admin:settings"],
    body: requests.settingValue,
    answers: responses.setting,
    refuses: ["NOT_FOUND"],
    run: settings.putSetting,
  }),
  operation("DELETE", "/api/admin/settings/{key}", "adminUnsetSetting", {
    summary: "Put a setting back to its default",
    needs: ["admin:settings"],
    answers: responses.setting,
    refuses: ["NOT_FOUND"],
    run: settings.deleteSetting,
  }),
  operation("GET", "/api/admin/events", "adminListEvents", {
    summary: "The record of events, newest first",
    needs: ["admin:events"],
    query: requests.eventQuery,
    answers: pageOf("EventPage", responses.event),
    run: events.listEvents,
  }),
  operation("GET", "/api/admin/statistics", "adminGetOverview", {
    summary: "What was counted in the last day or month",
    notes: statistics.FINISHED_HOURS,
    needs: ["admin:events"],
    query: requests.overviewQuery,
    answers: statistics.overview,
    run: counted.getOverview,
  }),
  operation("GET", "/api/admin/statistics/apps", "adminListWorstApps", {
    summary: "The apps of which something is to be said, the worst first",
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
