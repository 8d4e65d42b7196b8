/** For Express. */
import { grant } from "../granted.ts"
import type { Requirement } from "../requirement.ts"
import type { ResourceServer } from "../resource-server.ts"
import { type NodeRequest, type NodeResponse, sendRefusal, serveMetadata } from "./node.ts"

export { accessOf } from "../granted.ts"

/** Inside a router, `url` is only the rest of the path. */
type ExpressRequest = NodeRequest & { readonly originalUrl: string }
type Next = (error?: unknown) => unknown
type Middleware = (request: ExpressRequest, response: NodeResponse, next: Next) => void

/** `app.use(metadata(api))`, before anything that needs a token. */
export function metadata(api: ResourceServer): Middleware {
  return ({ originalUrl, method, headers }, response, next) => {
    if (!serveMetadata(api, { url: originalUrl, method, headers }, response)) next()
  }
}

/** `app.get("/notes", protect(api, requirePermission("notes:read")), …)`; behind it, `accessOf(request)`. */
export function protect(api: ResourceServer, ...requirements: readonly Requirement[]): Middleware {
  return (request, response, next) => {
    api.verify(request, ...requirements).then((checked) => {
      if (!checked.ok) return sendRefusal(response, checked.refusal)
      grant(request, checked.access)
      next()
    }, next)
  }
}
