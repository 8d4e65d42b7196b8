/** The HTTP server with every address of the service. */
import { logAnswers } from "./http/answer-log.ts"
import type { Metrics } from "./http/metrics.ts"
import { routes } from "./routes.ts"
import { HttpServer } from "./http/server.ts"
import type { HttpContext } from "./http/http-context.ts"

/** `metrics` times the answers; `isPublic` puts them on this listener as well. */
export type Metered = { readonly metrics: Metrics; readonly isPublic: boolean }

export function buildServer(context: HttpContext, metered: Metered | null = null): HttpServer {
  const server = new HttpServer(context)
  const shown = metered?.isPublic === true ? [metered.metrics.route()] : []
  for (const route of [...routes(context.basePath), ...shown]) server.add(route)
  // Whether debug lines are written is settled at the start: without them no request pays for their clock.
  if (context.services.log.isLevelEnabled("debug")) server.observe(logAnswers(context))
  if (metered !== null) server.observe(metered.metrics.timing())
  return server
}
