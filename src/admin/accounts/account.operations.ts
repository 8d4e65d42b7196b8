/** Operations on accounts: those of their holders, and those of administrators. */
import { lazyHandlers, type Operation, operation } from "../api/operation.ts"
import { pageOf } from "../api/paging.ts"
import { activityShape } from "../events/event-record.ts"
import { changeOfAdministration, grantOfAdministration } from "./account-elevation.ts"
import {
  ownAccountShape,
  accountShape,
  sessionShape,
  factorShape,
  factorsShape,
  activityQuery,
  ownAccountUpdate,
  accountQuery,
  newAccount,
  accountUpdate,
  newPassword,
} from "./account.shapes.ts"

const own = lazyHandlers(() => import("./own-account.handlers.ts"))
const all = lazyHandlers(() => import("./account.handlers.ts"))

export const ownAccountOperations: readonly Operation[] = [
  operation("GET", "/api/account", "getAccount", {
    summary: "Get the account",
    needs: ["account:read"],
    answers: ownAccountShape,
    run: own((of) => of.getAccount),
  }),
  operation("PATCH", "/api/account", "updateAccount", {
    summary: "Rename the account",
    needs: ["account:write"],
    body: ownAccountUpdate,
    answers: ownAccountShape,
    refuses: ["NOT_FOUND", "ALREADY_EXISTS", "CONFLICT"],
    run: own((of) => of.patchAccount),
  }),
  operation("GET", "/api/account/activity", "listActivity", {
    summary: "List the activity, newest first",
    needs: ["account:read"],
    query: activityQuery,
    answers: pageOf("ActivityPage", activityShape),
    run: own((of) => of.listActivity),
  }),
  operation("GET", "/api/account/sessions", "listSessions", {
    summary: "List signed-in browsers",
    needs: ["account:read"],
    answers: pageOf("SessionPage", sessionShape),
    run: own((of) => of.listSessions),
  }),
  operation("DELETE", "/api/account/sessions/{id}", "endSession", {
    summary: "Sign out a browser",
    needs: ["account:write"],
    refuses: ["NOT_FOUND"],
    run: own((of) => of.deleteSession),
  }),
  operation("GET", "/api/factors", "listFactors", {
    summary: "List the factors, without secrets",
    needs: ["account:read"],
    answers: factorsShape,
    run: own((of) => of.listFactors),
  }),
  operation("GET", "/api/factors/{id}", "getFactor", {
    summary: "Get a factor, without its secret",
    needs: ["account:read"],
    answers: factorShape,
    refuses: ["NOT_FOUND"],
    run: own((of) => of.getFactor),
  }),
  operation("DELETE", "/api/factors/{id}", "removeFactor", {
    summary: "Remove a factor",
    notes: "Removing the last second factor also removes the recovery codes.",
    needs: ["account:write"],
    refuses: ["NOT_FOUND", "CONFLICT"],
    run: own((of) => of.deleteFactor),
  }),
]

export const accountOperations: readonly Operation[] = [
  operation("GET", "/api/admin/accounts", "adminListAccounts", {
    summary: "List the accounts, oldest first",
    needs: ["admin:accounts"],
    query: accountQuery,
    answers: pageOf("AccountPage", accountShape),
    run: all((of) => of.listAccounts),
  }),
  operation("POST", "/api/admin/accounts", "adminAddAccount", {
    summary: "Add an account",
    needs: ["admin:accounts"],
    elevationRule: grantOfAdministration,
    body: newAccount,
    status: 201,
    answers: accountShape,
    refuses: ["ALREADY_EXISTS"],
    run: all((of) => of.postAccount),
  }),
  operation("GET", "/api/admin/accounts/{user_id}", "adminGetAccount", {
    summary: "Get an account",
    needs: ["admin:accounts"],
    answers: accountShape,
    refuses: ["NOT_FOUND"],
    run: all((of) => of.getAnyAccount),
  }),
  operation("PATCH", "/api/admin/accounts/{user_id}", "adminUpdateAccount", {
    summary: "Rename, enable or disable an account, grant or withdraw administration",
    notes: "All changes are made or none. The last enabled administrator cannot be disabled or withdrawn.",
    needs: ["admin:accounts"],
    elevationRule: changeOfAdministration,
    body: accountUpdate,
    answers: accountShape,
    refuses: ["NOT_FOUND", "ALREADY_EXISTS", "CONFLICT"],
    run: all((of) => of.patchAnyAccount),
  }),
  operation("DELETE", "/api/admin/accounts/{user_id}", "adminRemoveAccount", {
    summary: "Remove an account permanently",
    notes: "Its credentials are revoked. Its apps continue without an owner.",
    needs: ["admin:accounts"],
    refuses: ["NOT_FOUND", "CONFLICT"],
    run: all((of) => of.deleteAccount),
  }),
  operation("PUT", "/api/admin/accounts/{user_id}/password", "adminSetPassword", {
    summary: "Set the password of an account and sign out every browser",
    needs: ["admin:accounts"],
    body: newPassword,
    refuses: ["NOT_FOUND", "CONFLICT"],
    run: all((of) => of.putPassword),
  }),
  operation("GET", "/api/admin/accounts/{user_id}/factors", "adminListFactors", {
    summary: "List the factors of an account, without secrets",
    needs: ["admin:accounts"],
    answers: factorsShape,
    refuses: ["NOT_FOUND"],
    run: all((of) => of.listFactorsOf),
  }),
  operation("DELETE", "/api/admin/accounts/{user_id}/factors", "adminResetFactors", {
    summary: "Remove every factor of an account and sign out every browser",
    needs: ["admin:accounts"],
    refuses: ["NOT_FOUND"],
    run: all((of) => of.deleteFactorsOf),
  }),
]
