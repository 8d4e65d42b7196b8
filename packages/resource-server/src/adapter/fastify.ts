/** Adapter for Fastify. */
import { grant } from "../granted.ts"
import { metadataAnswer } from "../metadata-answer.ts"
import type { Requirement } from "../requirement.ts"
import type { Incoming, ResourceServer } from "../resource-server.ts"

export { accessOf } from "../granted.ts"

type FastifyRequest = { readonly raw: Incoming; readonly method: string }
type FastifyReply = {
  readonly code: (status: number) => FastifyReply
  readonly headers: (headers: Record<string, string>) => FastifyReply
  readonly send: (body?: string) => FastifyReply
}
type Route = {
  readonly method: string[]
  readonly url: string
  readonly exposeHeadRoute: boolean
  readonly handler: (request: FastifyRequest, reply: FastifyReply) => FastifyReply
}
type Fastify = { readonly route: (route: Route) => unknown }

/**
 * Serves the metadata: `await app.register(metadata, { api })`. Do not set a prefix, because the document must be at
 * the root of the host.
 */
export async function metadata(app: Fastify, { api }: { readonly api: ResourceServer }): Promise<void> {
  app.route({
    method: ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"],
    // A single colon would start a route parameter.
    url: api.metadataPath.replaceAll(":", "::"),
    exposeHeadRoute: false,
    handler: ({ method }, reply) => {
      const { status, headers, body } = metadataAnswer(api, method)
      return reply
        .code(status)
        .headers({ ...headers })
        .send(body)
    },
  })
}

/**
 * Protects a route: `app.get("/notes", { onRequest: protect(api, requirePermission("notes:read")) }, handler)`. The
 * handler calls `accessOf(request)`.
 */
export function protect(
  api: ResourceServer,
  ...requirements: readonly Requirement[]
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined> {
  return async (request, reply) => {
    const checked = await api.verify(request.raw, ...requirements)
    if (checked.ok) {
      grant(request, checked.access)
      return undefined
    }
    const { status, headers, body } = checked.refusal
    return reply
      .code(status)
      .headers({ ...headers })
      .send(JSON.stringify(body))
  }
}
