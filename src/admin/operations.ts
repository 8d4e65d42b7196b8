/** Every operation of the API. Routes, checks and the OpenAPI document come from this table. */
import { createHash } from "node:crypto"
import * as accounts from "./accounts/account.operations.ts"
import * as allAccounts from "./accounts/admin-account.operations.ts"
import * as app from "./apps/app.operations.ts"
import * as apps from "./apps/apps.operations.ts"
import { administratorOf, ownerOf } from "./apps/manager.ts"
import * as events from "./events/event.operations.ts"
import type { Endpoint } from "../platform/http/endpoint.ts"
import type { HttpContext } from "../platform/http/http-context.ts"
import { jsonText } from "../platform/http/respond.ts"
import * as credentials from "./credentials/credential.operations.ts"
import * as documents from "./documents/document.operations.ts"
import * as settings from "./settings/setting.operations.ts"
import * as counts from "./statistics/statistics.operations.ts"
import {
  changeOfAdministration,
  grantOfAdministration,
  changeOfAnApp,
  changeOfKeys,
  powerForAnApp,
  unlessOwnCredential,
} from "./elevation.ts"
import { description } from "./api/description.ts"
import { type Method, type Operation, operation } from "./api/operation.ts"
import { next, pageOf } from "./api/paging.ts"
import { list, record } from "./api/shape.ts"
import * as requests from "./api/requests.ts"
import * as responses from "./api/responses.ts"
import * as statistics from "./api/statistics-responses.ts"

const heldCredentials = record("HeldCredentials", {
  credentials: list("The credentials of this page, newest first.", responses.credential),
  next,
})

const ROUNDED =
  "The number of accounts is rounded down: 1 means fewer than five, then steps of five, from a hundred on two digits."

const describeApi: Operation = {
  method: "GET",
  path: "/api/openapi.json",
  id: "describe",
  summary: "Get this document",
  notes: "Needs no token. With `If-None-Match`, answers 304 if it has not changed.",
  needs: null,
  elevation: null,
  query: null,
  body: null,
  status: 200,
  answers: null,
  refuses: [],
  endpoint: sendDescription(),
}

/** Operations for account holders come first, then those for administrators. */
export const operations: readonly Operation[] = [
  operation("GET", "/api/account", "getAccount", {
    summary: "Get the account",
    needs: ["account:read"],
    answers: responses.ownAccount,
    run: accounts.getAccount,
  }),
  operation("PATCH", "/api/account", "updateAccount", {
    summary: "Rename the account",
    needs: ["account:write"],
    body: requests.ownAccountUpdate,
    answers: responses.ownAccount,
    refuses: ["NOT_FOUND", "ALREADY_EXISTS", "CONFLICT"],
    run: accounts.patchAccount,
  }),
  operation("GET", "/api/account/activity", "listActivity", {
    summary: "List the activity, newest first",
    needs: ["account:read"],
    query: requests.activityQuery,
    answers: pageOf("ActivityPage", responses.activity),
    run: accounts.listActivity,
  }),
  operation("GET", "/api/account/sessions", "listSessions", {
    summary: "List signed-in browsers",
    needs: ["account:read"],
    answers: pageOf("SessionPage", responses.session),
    run: accounts.listSessions,
  }),
  operation("DELETE", "/api/account/sessions/{id}", "endSession", {
    summary: "Sign out a browser",
    needs: ["account:write"],
    refuses: ["NOT_FOUND"],
    run: accounts.deleteSession,
  }),
  operation("GET", "/api/factors", "listFactors", {
    summary: "List the factors, without secrets",
    needs: ["account:read"],
    answers: responses.factors,
    run: accounts.listFactors,
  }),
  operation("GET", "/api/factors/{id}", "getFactor", {
    summary: "Get a factor, without its secret",
    needs: ["account:read"],
    answers: responses.factor,
    refuses: ["NOT_FOUND"],
    run: accounts.getFactor,
  }),
  operation("DELETE", "/api/factors/{id}", "removeFactor", {
    summary: "Remove a factor",
    notes: "Removing the last second factor also removes the recovery codes.",
    needs: ["account:write"],
    refuses: ["NOT_FOUND", "CONFLICT"],
    run: accounts.deleteFactor,
  }),

  operation("GET", "/api/credential", "getOwnCredential", {
    summary: "Get the credential of this access token",
    needs: [],
    answers: responses.ownCredential,
    run: credentials.getOwnCredential,
  }),
  operation("GET", "/api/credentials", "listCredentials", {
    summary: "List the active credentials, newest first",
    needs: ["credentials:read"],
    query: requests.tokenPageQuery,
    answers: heldCredentials,
    run: credentials.listOwnCredentials,
  }),
  operation("DELETE", "/api/credentials/{token_id}", "revokeCredential", {
    summary: "Revoke a credential",
    needs: ["credentials:write"],
    elevationRule: unlessOwnCredential,
    refuses: ["NOT_FOUND"],
    run: credentials.deleteOwnCredential,
  }),
  operation("GET", "/api/credentials/{token_id}/explanation", "explainCredential", {
    summary: "Explain what a credential reaches",
    needs: ["credentials:read"],
    answers: responses.explanation,
    refuses: ["NOT_FOUND"],
    run: credentials.getOwnExplanation,
  }),

  operation("GET", "/api/apps", "listApps", {
    summary: "List the apps, oldest first",
    needs: ["apps:read"],
    query: requests.appPageQuery,
    answers: pageOf("AppPage", responses.app),
    run: apps.listOwnApps,
  }),
  operation("POST", "/api/apps", "registerApp", {
    summary: "Register an app",
    notes: "It is not verified, may not ask for admin permissions, and is not a resource server.",
    needs: ["apps:write"],
    body: requests.newOwnApp,
    status: 201,
    answers: responses.registeredApp,
    refuses: ["CONFLICT"],
    run: apps.postApp(ownerOf),
  }),
  operation("GET", "/api/apps/{client_id}", "getApp", {
    summary: "Get an app",
    needs: ["apps:read"],
    answers: responses.app,
    refuses: ["NOT_FOUND"],
    run: app.getApp(ownerOf),
  }),
  operation("PATCH", "/api/apps/{client_id}", "updateApp", {
    summary: "Change an app, or preview the change with `preview=1`",
    notes:
      "Members that are left out do not change. A new name or redirect URI ends the verification of the app. " +
      ROUNDED,
    needs: ["apps:write"],
    elevationRule: changeOfKeys,
    query: requests.previewQuery,
    body: requests.ownAppUpdate,
    answers: responses.previewedApp,
    refuses: ["NOT_FOUND", "CONFLICT"],
    run: app.patchApp(ownerOf),
  }),
  operation("DELETE", "/api/apps/{client_id}", "removeApp", {
    summary: "Remove an app and revoke its credentials",
    needs: ["apps:write"],
    refuses: ["NOT_FOUND"],
    run: app.deleteApp(ownerOf),
  }),
  operation("POST", "/api/apps/{client_id}/secret", "rotateSecret", {
    summary: "Create a new secret; the old one ends",
    needs: ["apps:write"],
    answers: responses.appWithSecret,
    refuses: ["NOT_FOUND", "CONFLICT"],
    run: app.postSecret(ownerOf),
  }),
  operation("PUT", "/api/apps/{client_id}/icon", "setIcon", {
    summary: "Set the icon of an app",
    notes: "It is encoded again. With another icon an app is no longer verified.",
    needs: ["apps:write"],
    body: requests.icon,
    answers: responses.app,
    refuses: ["NOT_FOUND"],
    run: app.putIcon(ownerOf),
  }),
  operation("DELETE", "/api/apps/{client_id}/icon", "removeIcon", {
    summary: "Remove the icon of an app",
    needs: ["apps:write"],
    answers: responses.app,
    refuses: ["NOT_FOUND"],
    run: app.deleteIcon(ownerOf),
  }),
  operation("GET", "/api/apps/{client_id}/use", "getUse", {
    summary: "Count the users of an app",
    notes: ROUNDED,
    needs: ["apps:read"],
    answers: statistics.use,
    refuses: ["NOT_FOUND"],
    run: app.getUse(ownerOf),
  }),
  operation("GET", "/api/apps/{client_id}/health", "getHealth", {
    summary: "Get the health of an app, with advice",
    notes: statistics.FINISHED_DAYS,
    needs: ["apps:read"],
    query: requests.healthQuery,
    answers: statistics.health,
    refuses: ["NOT_FOUND"],
    run: app.getHealth(ownerOf),
  }),

  operation("GET", "/api/admin/accounts", "adminListAccounts", {
    summary: "List the accounts, oldest first",
    needs: ["admin:accounts"],
    query: requests.accountQuery,
    answers: pageOf("AccountPage", responses.account),
    run: allAccounts.listAccounts,
  }),
  operation("POST", "/api/admin/accounts", "adminAddAccount", {
    summary: "Add an account",
    needs: ["admin:accounts"],
    elevationRule: grantOfAdministration,
    body: requests.newAccount,
    status: 201,
    answers: responses.account,
    refuses: ["ALREADY_EXISTS"],
    run: allAccounts.postAccount,
  }),
  operation("GET", "/api/admin/accounts/{user_id}", "adminGetAccount", {
    summary: "Get an account",
    needs: ["admin:accounts"],
    answers: responses.account,
    refuses: ["NOT_FOUND"],
    run: allAccounts.getAnyAccount,
  }),
  operation("PATCH", "/api/admin/accounts/{user_id}", "adminUpdateAccount", {
    summary: "Rename, enable or disable an account, grant or withdraw administration",
    notes: "All changes are made or none. The last enabled administrator cannot be disabled or withdrawn.",
    needs: ["admin:accounts"],
    elevationRule: changeOfAdministration,
    body: requests.accountUpdate,
    answers: responses.account,
    refuses: ["NOT_FOUND", "ALREADY_EXISTS", "CONFLICT"],
    run: allAccounts.patchAnyAccount,
  }),
  operation("DELETE", "/api/admin/accounts/{user_id}", "adminRemoveAccount", {
    summary: "Remove an account permanently",
    notes: "Its credentials are revoked. Its apps continue without an owner.",
    needs: ["admin:accounts"],
    refuses: ["NOT_FOUND", "CONFLICT"],
    run: allAccounts.deleteAccount,
  }),
  operation("PUT", "/api/admin/accounts/{user_id}/password", "adminSetPassword", {
    summary: "Set the password of an account and sign out every browser",
    needs: ["admin:accounts"],
    body: requests.newPassword,
    refuses: ["NOT_FOUND", "CONFLICT"],
    run: allAccounts.putPassword,
  }),
  operation("GET", "/api/admin/accounts/{user_id}/factors", "adminListFactors", {
    summary: "List the factors of an account, without secrets",
    needs: ["admin:accounts"],
    answers: responses.factors,
    refuses: ["NOT_FOUND"],
    run: allAccounts.listFactorsOf,
  }),
  operation("DELETE", "/api/admin/accounts/{user_id}/factors", "adminResetFactors", {
    summary: "Remove every factor of an account and sign out every browser",
    needs: ["admin:accounts"],
    refuses: ["NOT_FOUND"],
    run: allAccounts.deleteFactorsOf,
  }),

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
    elevationRule: changeOfAnApp,
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
    summary: "Create a new secret; the old one ends",
    needs: ["admin:apps"],
    answers: responses.appWithSecret,
    refuses: ["NOT_FOUND", "CONFLICT"],
    run: app.postSecret(administratorOf),
  }),
  operation("PUT", "/api/admin/apps/{client_id}/icon", "adminSetIcon", {
    summary: "Set the icon of an app",
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
    summary: "Get the health of an app, with advice",
    notes: statistics.FINISHED_DAYS,
    needs: ["admin:apps"],
    query: requests.healthQuery,
    answers: statistics.health,
    refuses: ["NOT_FOUND"],
    run: app.getHealth(administratorOf),
  }),

  operation("GET", "/api/admin/documents", "adminListDocuments", {
    summary: "List the documents of apps, in the order of their URLs",
    needs: ["admin:apps"],
    query: requests.appPageQuery,
    answers: pageOf("DocumentPage", responses.document),
    run: documents.getDocuments,
  }),
  operation("GET", "/api/admin/documents/{client_id}", "adminGetDocument", {
    summary: "Get what is known of a document",
    needs: ["admin:apps"],
    answers: responses.document,
    refuses: ["NOT_FOUND"],
    run: documents.getDocument,
  }),
  operation("POST", "/api/admin/documents/{client_id}/refresh", "adminRefreshDocument", {
    summary: "Fetch a document now",
    needs: ["admin:apps"],
    answers: responses.document,
    refuses: ["NOT_FOUND", "CONFLICT"],
    run: documents.postRefresh,
  }),
  operation("PUT", "/api/admin/documents/{client_id}/pin", "adminPinDocument", {
    summary: "Pin a document, so that it is not fetched; registers the app if it is new",
    needs: ["admin:apps"],
    body: requests.pinnedDocument,
    answers: responses.document,
    refuses: ["NOT_FOUND"],
    run: documents.putPin,
  }),
  operation("DELETE", "/api/admin/documents/{client_id}/pin", "adminUnpinDocument", {
    summary: "Unpin a document; the next authorization fetches it",
    needs: ["admin:apps"],
    answers: responses.document,
    refuses: ["NOT_FOUND", "CONFLICT"],
    run: documents.deletePin,
  }),
  operation("PUT", "/api/admin/documents/{client_id}/denial", "adminDenyDocument", {
    summary: "Deny a document and every token of its app",
    needs: ["admin:apps"],
    answers: responses.document,
    refuses: ["NOT_FOUND"],
    run: documents.putDenial,
  }),
  operation("DELETE", "/api/admin/documents/{client_id}/denial", "adminAllowDocument", {
    summary: "Allow a denied document, or one that gave up its key",
    needs: ["admin:apps"],
    answers: responses.document,
    refuses: ["NOT_FOUND", "CONFLICT"],
    run: documents.deleteDenial,
  }),

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
    run: counts.getOverview,
  }),
  operation("GET", "/api/admin/statistics/apps", "adminListWorstApps", {
    summary: "List the apps with problems, the worst first",
    notes: statistics.FINISHED_DAYS,
    needs: ["admin:events"],
    query: requests.worstAppsQuery,
    answers: statistics.worstApps,
    run: counts.listWorstApps,
  }),

  describeApi,
]

type ApiRoute = { readonly path: string; readonly bodyBytes?: number } & {
  readonly [M in Lowercase<Method>]?: Endpoint
}

/** The routes. Operations with the same path share one route. */
export function apiRoutes(): readonly ApiRoute[] {
  const paths = Map.groupBy(operations, ({ path }) => path)
  return [...paths].map(([path, rows]) => ({
    path: path.replaceAll(/\{(\w+)\}/g, ":$1"),
    ...Object.fromEntries(rows.map(({ method, endpoint }) => [method.toLowerCase(), endpoint])),
    ...bodyBytesOf(rows),
  }))
}

function bodyBytesOf(rows: readonly Operation[]) {
  const most = rows.flatMap(({ body }) => (body !== null && "picture" in body ? [body.most] : []))
  return most.length === 0 ? {} : { bodyBytes: Math.max(...most) }
}

/** Builds the document at the first request, because it contains the issuer. All responses share its bytes. */
function sendDescription(): Endpoint {
  const made = new WeakMap<HttpContext, { readonly bytes: Buffer; readonly tag: string }>()
  const madeFor = (context: HttpContext) => {
    const bytes = Buffer.from(jsonText(description(context.services.issuer, operations)))
    const one = { bytes, tag: `"${createHash("sha256").update(bytes).digest("base64url")}"` }
    made.set(context, one)
    return one
  }
  return (context, request, reply) => {
    const { bytes, tag } = made.get(context) ?? madeFor(context)
    reply.header("etag", tag).header("cache-control", "no-cache").header("x-content-type-options", "nosniff")
    if (isKnown(request.headers["if-none-match"], tag)) return reply.code(304).send()
    return reply.code(200).header("content-type", "application/json").send(bytes)
  }
}

/** Whether `If-None-Match` lists the tag. The comparison is weak: RFC 9110 §13.1.2. */
function isKnown(listed: string | undefined, tag: string): boolean {
  const tags = (listed ?? "").split(",").map((text) => text.trim().replace(/^W\//, ""))
  return tags.includes(tag) || tags.includes("*")
}
