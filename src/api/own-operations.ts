/** What an app may do for the account holder who let it in: the first half of the table of operations. */
import { ownDesk } from "../apps/management/app-manager.ts"
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

export const factors = record("Factors", { factors: list("The factors.", responses.factor) })
const heldCredentials = record("HeldCredentials", {
  credentials: list("One page, newest first.", responses.credential),
  next,
})

const ROUNDED =
  "How many use the app is rounded down: 1 stands for fewer than five, then come fives, and from a hundred on two figures."

export const ownOperations = [
  operation("GET", "/api/account", "getAccount", {
    summary: "The account of the credential",
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
    summary: "What happened to the account, newest first",
    needs: ["account:read"],
    query: requests.activityQuery,
    answers: pageOf("ActivityPage", responses.activity),
    run: accounts.listActivity,
  }),
  operation("GET", "/api/account/sessions", "listSessions", {
    summary: "The browsers that are signed in to the account",
    needs: ["account:read"],
    answers: pageOf("SessionPage", responses.session),
    run: accounts.listSessions,
  }),
  operation("DELETE", "/api/account/sessions/{id}", "endSession", {
    summary: "Sign a browser out",
    needs: ["account:write"],
    refuses: ["NOT_FOUND"],
    run: accounts.deleteSession,
  }),
  operation("GET", "/api/factors", "listFactors", {
    summary: "The factors of the account, without their secrets",
    needs: ["account:read"],
    answers: factors,
    run: accounts.listFactors,
  }),
  operation("GET", "/api/factors/{id}", "getFactor", {
    summary: "A factor of the account, without its secret",
    needs: ["account:read"],
    answers: responses.factor,
    refuses: ["NOT_FOUND"],
    run: accounts.getFactor,
  }),
  operation("DELETE", "/api/factors/{id}", "removeFactor", {
    summary: "Remove a factor",
    notes: "Recovery codes go with the last second factor.",
    needs: ["account:write"],
    refuses: ["NOT_FOUND"],
    run: accounts.deleteFactor,
  }),

  operation("GET", "/api/credential", "getOwnCredential", {
    summary: "The credential that asks: its label, its reach, when it ends",
    needs: [],
    answers: responses.ownCredential,
    run: credentials.getOwnCredential,
  }),
  operation("GET", "/api/credentials", "listCredentials", {
    summary: "What holds access to the account now, newest first",
    needs: ["credentials:read"],
    query: requests.pageQuery,
    answers: heldCredentials,
    run: credentials.listOwnCredentials,
  }),
  operation("DELETE", "/api/credentials/{token_id}", "revokeCredential", {
    summary: "End a credential of the account",
    needs: ["credentials:write"],
    elevationRule: unlessOwnCredential,
    refuses: ["NOT_FOUND"],
    run: credentials.deleteOwnCredential,
  }),
  operation("GET", "/api/credentials/{token_id}/explanation", "explainCredential", {
    summary: "Why a credential of the account reaches what it reaches",
    needs: ["credentials:read"],
    answers: responses.explanation,
    refuses: ["NOT_FOUND"],
    run: credentials.getOwnExplanation,
  }),

  operation("GET", "/api/apps", "listApps", {
    summary: "The apps of the account, oldest first",
    needs: ["apps:read"],
    query: requests.pageQuery,
    answers: pageOf("AppPage", responses.app),
    run: apps.listOwnApps,
  }),
  operation("POST", "/api/apps", "registerApp", {
    summary: "Register an app in the name of the account",
    notes: "Unverified, without administration, and no resource server.",
    needs: ["apps:write"],
    body: requests.newOwnApp,
    status: 201,
    answers: responses.registeredApp,
    refuses: ["CONFLICT"],
    run: apps.postOwnApp,
  }),
  operation("GET", "/api/apps/{client_id}", "getApp", {
    summary: "An app of the account",
    needs: ["apps:read"],
    answers: responses.app,
    refuses: ["NOT_FOUND"],
    run: app.getApp(ownDesk),
  }),
  operation("PATCH", "/api/apps/{client_id}", "updateApp", {
    summary: "Change an app, or (`preview=1`) see what the change would take",
    notes:
      "What is left out stays. With a new name or a new redirect address an app is not verified any more. " +
      ROUNDED,
    needs: ["apps:write"],
    query: requests.previewQuery,
    body: requests.ownAppUpdate,
    answers: responses.previewedApp,
    refuses: ["NOT_FOUND", "CONFLICT"],
    run: app.patchApp(ownDesk),
  }),
  operation("DELETE", "/api/apps/{client_id}", "removeApp", {
    summary: "Remove an app, and revoke every credential that it holds",
    needs: ["apps:write"],
    refuses: ["NOT_FOUND"],
    run: app.deleteApp(ownDesk),
  }),
  operation("POST", "/api/apps/{client_id}/secret", "rotateSecret", {
    summary: "Make a new secret; the old one ends at once",
    needs: ["apps:write"],
    answers: responses.appWithSecret,
    refuses: ["NOT_FOUND", "CONFLICT"],
    run: app.postSecret(ownDesk),
  }),
  operation("PUT", "/api/apps/{client_id}/icon", "setIcon", {
    summary: "Set the icon of an app",
    notes: "It is encoded again. With another icon an app is no longer verified.",
    needs: ["apps:write"],
    body: requests.icon,
    answers: responses.app,
    refuses: ["NOT_FOUND"],
    run: app.putIcon(ownDesk),
  }),
  operation("DELETE", "/api/apps/{client_id}/icon", "removeIcon", {
    summary: "Take the icon of an app away",
    needs: ["apps:write"],
    answers: responses.app,
    refuses: ["NOT_FOUND"],
    run: app.deleteIcon(ownDesk),
  }),
  operation("GET", "/api/apps/{client_id}/use", "getUse", {
    summary: "How many use an app, not who",
    notes: ROUNDED,
    needs: ["apps:read"],
    answers: statistics.use,
    refuses: ["NOT_FOUND"],
    run: app.getUse(ownDesk),
  }),
  operation("GET", "/api/apps/{client_id}/health", "getHealth", {
    summary: "How an app fares, and what its developer should know",
    notes: statistics.FINISHED_DAYS,
    needs: ["apps:read"],
    query: requests.healthQuery,
    answers: statistics.health,
    refuses: ["NOT_FOUND"],
    run: app.getHealth(ownDesk),
  }),
] as const
