/** A debug line for each answer. */
import type { Observer } from "./server.ts"
import type { HttpContext } from "./http-context.ts"

export function logAnswers({ services: { log } }: HttpContext): Observer {
  return (request, { statusCode }, milliseconds) =>
    log.debug({
      request_id: request.id,
      method: request.method,
      // The route, not what was sent: an address that leads nowhere may hold a pasted token.
      path: request.route?.path ?? null,
      status: statusCode,
      milliseconds: Math.round(milliseconds * 10) / 10,
    })
}
