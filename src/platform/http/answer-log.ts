/** Logs each answer at debug level. */
import type { Observer } from "./server.ts"
import type { HttpContext } from "./http-context.ts"

export function logAnswers({ services: { log } }: HttpContext): Observer {
  return (request, { statusCode }, milliseconds) =>
    log.debug({
      request_id: request.id,
      method: request.method,
      // The log contains the path of the route. The path in the request may contain a pasted token.
      path: request.route?.path ?? null,
      status: statusCode,
      milliseconds: Math.round(milliseconds * 10) / 10,
    })
}
