/** Adapter for Hono. */
import { grant } from "../granted.ts"
import type { Requirement } from "../requirement.ts"
import type { ResourceServer } from "../resource-server.ts"
import { metadataResponse, refusalResponse } from "./fetch.ts"

export { accessOf } from "../granted.ts"

type Context = { readonly req: { readonly raw: Request } }
type Middleware = (context: Context, next: () => Promise<void>) => Promise<Response | undefined>

/** Serves the metadata. Register it before protected routes: `app.use(metadata(api))`. */
export function metadata(api: ResourceServer): Middleware {
  return async ({ req }, next) => {
    const document = metadataResponse(api, req.raw)
    if (document !== null) return document
    await next()
    return undefined
  }
}

/**
 * Protects a route: `app.get("/notes", protect(api, requirePermission("notes:read")), handler)`. The handler calls
 * `accessOf(context)`.
 */
export function protect(api: ResourceServer, ...requirements: readonly Requirement[]): Middleware {
  return async (context, next) => {
    const checked = await api.verify(context.req.raw, ...requirements)
    if (!checked.ok) return refusalResponse(checked.refusal)
    grant(context, checked.access)
    await next()
    return undefined
  }
}
