/** Operations for the account holder: the first half of the table. */
import { ownerOf } from "../apps/management/manager.ts"
import { unlessOwnCredential } from "./elevation.ts"
import * as requests from "./records/requests.ts"
import { operation } from "./kit/operation.ts"
import { next, pageOf } from "./kit/paging.ts"
import * as responses from "./records/responses.ts"
import { list, record } from "./kit/shape.ts"
import * as accounts from "../accounts/management/account.operations.ts"
import * as apps from "../apps/management/apps.operations.ts"
import * as app from "../apps/management/app.operations.ts"
import * as credentials from "../oauth/credential/management/credential.operations.ts"
import * as statistics from "./records/statistics-responses.ts"

export const factors = record("Factors", { factors: list("The factors of the account.", responses.factor) })
const heldCredentials = record("HeldCredentials", {
  credentials: list("The credentials of this page, newest first.", responses.credential),
  next,
})

const ROUNDED =
  "The number of accounts is rounded down: 1 means fewer than five, then steps of five, from a hundred on two digits."

export const ownOperations = [
  operation("GET", "/api/account", "getAccount", {
    summary: "Get the account of the credential",
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
    summary: "List the activity of the account, newest first",
    needs: ["account:read"],
    query: requests.activityQuery,
    answers: pageOf("ActivityPage", responses.activity),
    run: accounts.listActivity,
  }),
  operation("GET", "/api/account/sessions", "listSessions", {
    summary: "List the browsers that are signed in",
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
    summary: "List the factors of the account, without secrets",
    needs: ["account:read"],
    answers: factors,
    run: accounts.listFactors,
  }),
  operation("GET", "/api/factors/{id}", "getFactor", {
    summary: "Get a factor of the account, without its secret",
    needs: ["account:read"],
    answers: responses.factor,
    refuses: ["NOT_FOUND"],
    run: accounts.getFactor,
  }),
  operation("DELETE", "/api/factors/{id}", "removeFactor", {
    summary: "Remove a factor",
    notes: "Removing the last second factor also removes the recovery codes.",
    needs: ["account:write"],
    refuses: ["NOT_FOUND"],
    run: accounts.deleteFactor,
  }),

  operation("GET", "/api/credential", "getOwnCredential", {
    summary: "Get the credential of this access token: label, reach and expiry",
    needs: [],
    answers: responses.ownCredential,
    run: credentials.getOwnCredential,
  }),
  operation("GET", "/api/credentials", "listCredentials", {
    summary: "List the active credentials of the account, newest first",
    needs: ["credentials:read"],
    query: requests.pageQuery,
    answers: heldCredentials,
    run: credentials.listOwnCredentials,
  }),
  operation("DELETE", "/api/credentials/{token_id}", "revokeCredential", {
    summary: "Revoke a credential of the account",
    needs: ["credentials:write"],
    elevationRule: unlessOwnCredential,
    refuses: ["NOT_FOUND"],
    run: credentials.deleteOwnCredential,
  }),
  operation("GET", "/api/credentials/{token_id}/explanation", "explainCredential", {
    summary: "Explain what a credential of the account reaches",
    needs: ["credentials:read"],
    answers: responses.explanation,
    refuses: ["NOT_FOUND"],
    run: credentials.getOwnExplanation,
  }),

  operation("GET", "/api/apps", "listApps", {
    summary: "List the apps of the account, oldest first",
    needs: ["apps:read"],
    query: requests.pageQuery,
    answers: pageOf("AppPage", responses.app),
    run: apps.listOwnApps,
  }),
  operation("POST", "/api/apps", "registerApp", {
    summary: "Register an app that the account owns",
    notes: "It is not verified, may not ask for admin permissions, and is not a resource server.",
    needs: ["apps:write"],
    body: requests.newOwnApp,
    status: 201,
    answers: responses.registeredApp,
    refuses: ["CONFLICT"],
    run: apps.postApp(ownerOf),
  }),
  operation("GET", "/api/apps/{client_id}", "getApp", {
    summary: "Get an app of the account",
    needs: ["apps:read"],
    answers: responses.app,
    refuses: ["NOT_FOUND"],
    run: app.getApp(ownerOf),
  }),
  operation("PATCH", "/api/apps/{client_id}", "updateApp", {
    summary: "Change an app, or preview the change with `preview=1`",
    notes:
      "Members that are left out do not change. A new name or redirect address ends the verification of the app. " +
      ROUNDED,
    needs: ["apps:write"],
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
    summary: "Create a new secret; the old one stops working immediately",
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
    summary: "Get the health of an app, with advice for its developer",
    notes: statistics.FINISHED_DAYS,
    needs: ["apps:read"],
    query: requests.healthQuery,
    answers: statistics.health,
    refuses: ["NOT_FOUND"],
    run: app.getHealth(ownerOf),
  }),
] as const
