/** Every operation of the API. Routes, checks and the OpenAPI document come from this table. */
import { createHash } from "node:crypto"
import { accountOperations } from "./accounts/account.operations.ts"
import { ownAccountOperations } from "./accounts/own-account.operations.ts"
import { credentialOperations, ownCredentialOperations } from "./credentials/credential.operations.ts"
import { documentOperations } from "./documents/document.operations.ts"
import { eventOperations } from "./events/event.operations.ts"
import { settingOperations } from "./settings/setting.operations.ts"
import { statisticsOperations } from "./statistics/statistics.operations.ts"
import * as app from "./apps/app.operations.ts"
import * as apps from "./apps/apps.operations.ts"
import { administratorOf, ownerOf } from "./apps/manager.ts"
import type { Endpoint } from "../platform/http/endpoint.ts"
import type { HttpContext } from "../platform/http/http-context.ts"
import { jsonText } from "../platform/http/respond.ts"
import { changeOfAnApp, changeOfKeys, powerForAnApp } from "./apps/app-elevation.ts"
import { description } from "./api/description.ts"
import { type Method, type Operation, operation } from "./api/operation.ts"
import { pageOf } from "./api/paging.ts"
import * as requests from "./api/requests.ts"
import * as responses from "./api/responses.ts"
import * as statistics from "./statistics/health-record.ts"

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

const ownAppOperations: readonly Operation[] = [
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
    answers: responses.use,
    refuses: ["NOT_FOUND"],
    run: app.getUse(ownerOf),
  }),
  operation("GET", "/api/apps/{client_id}/health", "getHealth", {
    summary: "Get the health of an app, with advice",
    notes: statistics.FINISHED_DAYS,
    needs: ["apps:read"],
    query: statistics.healthQuery,
    answers: statistics.healthShape,
    refuses: ["NOT_FOUND"],
    run: app.getHealth(ownerOf),
  }),
]

const appOperations: readonly Operation[] = [
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
    answers: responses.use,
    refuses: ["NOT_FOUND"],
    run: app.getUse(administratorOf),
  }),
  operation("GET", "/api/admin/apps/{client_id}/health", "adminGetHealth", {
    summary: "Get the health of an app, with advice",
    notes: statistics.FINISHED_DAYS,
    needs: ["admin:apps"],
    query: statistics.healthQuery,
    answers: statistics.healthShape,
    refuses: ["NOT_FOUND"],
    run: app.getHealth(administratorOf),
  }),
]

/** Operations for account holders come first, then those for administrators. */
export const operations: readonly Operation[] = [
  ...ownAccountOperations,
  ...ownCredentialOperations,
  ...ownAppOperations,
  ...accountOperations,
  ...appOperations,
  ...documentOperations,
  ...credentialOperations,
  ...settingOperations,
  ...eventOperations,
  ...statisticsOperations,
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
