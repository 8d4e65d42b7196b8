/** Adapter for Express. */
import { grant } from "../granted.ts"
import type { Requirement } from "../requirement.ts"
import type { ResourceServer } from "../resource-server.ts"
import { type NodeRequest, type NodeResponse, sendRefusal, serveMetadata } from "./node.ts"

export { accessOf } from "../granted.ts"

/** Inside a router, `url` does not contain the path of the router. `originalUrl` is complete. */
type ExpressRequest = NodeRequest & { readonly originalUrl: string }
type Next = (error?: unknown) => unknown
type Middleware = (request: ExpressRequest, response: NodeResponse, next: Next) => void

/** Serves the metadata. Register it before protected routes: `app.use(metadata(api))`. */
export function metadata(api: ResourceServer): Middleware {
  return ({ originalUrl, method, headers }, response, next) => {
    if (!serveMetadata(api, { url: originalUrl, method, headers }, response)) next()
  }
}

/**
 * Protects a route: `app.get("/notes", protect(api, requirePermission("notes:read")), handler)`. The handler calls
 * `accessOf(request)`.
 */
export function protect(api: ResourceServer, ...requirements: readonly Requirement[]): Middleware {
  return (request, response, next) => {
    api.verify(request, ...requirements).then((checked) => {
      if (!checked.ok) return sendRefusal(response, checked.refusal)
      grant(request, checked.access)
      next()
    }, next)
  }
}
