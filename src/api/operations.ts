/** Every operation of the API. Its routes, its checks and its description are made of this list. */
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
  summary: "This document",
  notes: "Anonymous. With `If-None-Match`, 304 where it is still the same.",
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

/** One row a path, as the table of routes wants it. */
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

/** Made at the first request: it holds the address of the service. All answers share its bytes. */
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

/** RFC 9110 §13.1.2: weak comparison with any of the list. */
function isKnown(listed: string | undefined, tag: string): boolean {
  const tags = (listed ?? "").split(",").map((text) => text.trim().replace(/^W\//, ""))
  return tags.includes(tag) || tags.includes("*")
}
