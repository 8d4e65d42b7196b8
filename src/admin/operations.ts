/** Every operation of the API. Routes, checks and the OpenAPI document come from this table. */
import { createHash } from "node:crypto"
import { accountOperations } from "./accounts/account.operations.ts"
import { ownAccountOperations } from "./accounts/own-account.operations.ts"
import { appliedOperations } from "./apply/applied.operations.ts"
import { credentialOperations, ownCredentialOperations } from "./credentials/credential.operations.ts"
import { documentOperations } from "./documents/document.operations.ts"
import { groupOperations } from "./groups/group.operations.ts"
import { eventOperations } from "./events/event.operations.ts"
import { appearanceOperations } from "./appearance/appearance.operations.ts"
import { invitationOperations } from "./invitations/invitation.operations.ts"
import { settingOperations } from "./settings/setting.operations.ts"
import { statisticsOperations } from "./statistics/statistics.operations.ts"
import { appOperations, ownAppOperations } from "./apps/app.operations.ts"
import type { Endpoint } from "../platform/http/endpoint.ts"
import type { HttpContext } from "../platform/http/http-context.ts"
import { jsonText } from "../platform/http/respond.ts"
import { description } from "./api/description.ts"
import type { Method, Operation } from "./api/operation.ts"

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
  ...ownAccountOperations,
  ...ownCredentialOperations,
  ...ownAppOperations,
  ...accountOperations,
  ...invitationOperations,
  ...groupOperations,
  ...appOperations,
  ...documentOperations,
  ...credentialOperations,
  ...appliedOperations,
  ...settingOperations,
  ...appearanceOperations,
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
