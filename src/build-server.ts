/** Builds the HTTP server with every route of the service. */
import { logAnswers } from "./platform/http/answer-log.ts"
import type { Metrics } from "./platform/http/metrics.ts"
import { lazyRoutes, routes } from "./routes.ts"
import { HttpServer } from "./platform/http/server.ts"
import type { HttpContext } from "./platform/http/http-context.ts"

/** `metrics` measures responses. If `isPublic` is true, this server also serves the metrics. */
export type Metered = { readonly metrics: Metrics; readonly isPublic: boolean }

export function buildServer(context: HttpContext, metered: Metered | null = null): HttpServer {
  const server = new HttpServer(context)
  const shown = metered?.isPublic === true ? [metered.metrics.route()] : []
  for (const route of [...routes(context.basePath), ...shown]) server.routes.add(route)
  for (const group of lazyRoutes) server.routes.addLazily(group)
  // The level is checked only once. Requests then do not read the clock for a debug log that is off.
  if (context.services.log.isLevelEnabled("debug")) server.observe(logAnswers(context))
  if (metered !== null) server.observe(metered.metrics.timing())
  return server
}
