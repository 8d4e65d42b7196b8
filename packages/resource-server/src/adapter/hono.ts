/** For Hono. */
import { grant } from "../granted.ts"
import type { Requirement } from "../requirement.ts"
import type { ResourceServer } from "../resource-server.ts"
import { metadataResponse, refusalResponse } from "./fetch.ts"

export { accessOf } from "../granted.ts"

type Context = { readonly req: { readonly raw: Request } }
type Middleware = (context: Context, next: () => Promise<void>) => Promise<Response | undefined>

/** `app.use(metadata(api))`, before anything that needs a token. */
export function metadata(api: ResourceServer): Middleware {
  return async ({ req }, next) => {
    const document = metadataResponse(api, req.raw)
    if (document !== null) return document
    await next()
    return undefined
  }
}

/** `app.get("/notes", protect(api, requirePermission("notes:read")), …)`; behind it, `accessOf(context)`. */
export function protect(api: ResourceServer, ...requirements: readonly Requirement[]): Middleware {
  return async (context, next) => {
    const checked = await api.verify(context.req.raw, ...requirements)
    if (!checked.ok) return refusalResponse(checked.refusal)
    grant(context, checked.access)
    await next()
    return undefined
  }
}
