/** Every operation of the API. Routes, checks and the OpenAPI document come from this list. */
import { createHash } from "node:crypto"
import type { Endpoint } from "../http/endpoint.ts"
import { jsonText } from "../http/respond.ts"
import type { HttpContext } from "../http/http-context.ts"
import { adminOperations } from "./admin-operations.ts"
import { description } from "./kit/description.ts"
import type { Method, Operation } from "./kit/operation.ts"
import { ownOperations } from "./own-operations.ts"

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

export const operations: readonly Operation[] = [...ownOperations, ...adminOperations, describeApi]

type ApiRoute = { readonly path: string; readonly bodyBytes?: number } & {
  readonly [M in Lowercase<Method>]?: Endpoint
}

/** One row per path, for the router. */
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

/** Built at the first request, because it contains the address of the service. All responses share the bytes. */
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

/** RFC 9110 §13.1.2: weak comparison with each tag of the list. */
function isKnown(listed: string | undefined, tag: string): boolean {
  const tags = (listed ?? "").split(",").map((text) => text.trim().replace(/^W\//, ""))
  return tags.includes(tag) || tags.includes("*")
}
