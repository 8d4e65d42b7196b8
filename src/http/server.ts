/** The HTTP server: Fastify with its defaults narrowed, and the table of routes. */
import { METHODS } from "node:http"
import Fastify, { type FastifyInstance } from "fastify"
import { BODY_BYTES_AT_MOST } from "../core/limits.ts"
import { answerClientError } from "./client-error.ts"
import { answerFault, answerUnknown } from "./fault.ts"
import { endpointFor, gate } from "./gate.ts"
import { FORM, IN_BYTES } from "./request.ts"
import { numbering } from "./request-id.ts"
import { routes } from "./routes.ts"
import type { Metrics } from "./metrics.ts"
import type { Site } from "./site.ts"

/** Every method that a request can come with, so that a wrong one is told so. A proxy's CONNECT never gets here. */
const EVERY_METHOD = METHODS.filter((method) => method !== "CONNECT")

/** A slow sender is cut off after this long; a connection that says nothing keeps nothing else waiting. */
const REQUEST_MILLISECONDS = 30_000
const HEAD_MILLISECONDS = 15_000
const CHECKED_EVERY_MILLISECONDS = 5_000
const IDLE_MILLISECONDS = 75_000

/** More than Node takes of a whole head: an id that is too long is an unknown one, and is answered like any other. */
const PARAM_LENGTH_AT_MOST = 64 * 1024

/** How often connections that have become idle are closed, once the service is ending. */
const SWEEP_MILLISECONDS = 50

/** `metrics` times the answers; `isPublic` puts them on this listener as well. */
export type Metered = { readonly metrics: Metrics; readonly isPublic: boolean }

export function buildServer(site: Site, metered: Metered | null = null): FastifyInstance {
  const { basePath } = site
  const server = Fastify({
    logger: false,
    genReqId: numbering(site.trustedProxies),
    bodyLimit: BODY_BYTES_AT_MOST,
    requestTimeout: REQUEST_MILLISECONDS,
    http: { headersTimeout: HEAD_MILLISECONDS, connectionsCheckingInterval: CHECKED_EVERY_MILLISECONDS },
    keepAliveTimeout: IDLE_MILLISECONDS,
    exposeHeadRoutes: false,
    forceCloseConnections: "idle",
    routerOptions: {
      ignoreTrailingSlash: false,
      caseSensitive: true,
      querystringParser: () => ({}),
      maxParamLength: PARAM_LENGTH_AT_MOST,
    },
    rewriteUrl: ({ url = "/" }) => withoutBasePath(url, basePath),
    clientErrorHandler: answerClientError,
    frameworkErrors: (fault, request, reply) => void answerFault(site, request, reply, fault),
  })
  for (const method of EVERY_METHOD) {
    if (!server.supportedMethods.includes(method)) server.addHttpMethod(method, { hasBody: true })
  }
  server.removeAllContentTypeParsers()
  // Forms are named beside "*" because Fastify searches anew, at every request, for what only "*" takes.
  server.addContentTypeParser([FORM, "*"], { parseAs: "string" }, (_, body, done) => done(null, body))
  // What carries a picture. Where none is wanted, it reads as no form, like anything else that is none.
  server.addContentTypeParser(IN_BYTES, { parseAs: "buffer" }, (_, body, done) => done(null, body))
  server.setNotFoundHandler((request, reply) => answerUnknown(site, request, reply))
  // Before its body is read, as an address that a setting takes away answers: nothing is to tell the two apart.
  server.addHook("onRequest", (request, reply, done) =>
    request.is404 ? void answerUnknown(site, request, reply) : done(),
  )
  server.setErrorHandler((fault, request, reply) => answerFault(site, request, reply, fault))
  // Whether debug lines are written is settled at the start: without them no request pays for their clock.
  if (site.latchkey.log.isLevelEnabled("debug")) logResponses(server, site)
  server.decorateRequest("presentedClientId", null)
  closeAnsweredConnections(server)
  metered?.metrics.time(server)
  const shown = metered?.isPublic === true ? [metered.metrics.route()] : []
  for (const route of [...routes(basePath), ...shown]) {
    server.route({
      method: EVERY_METHOD,
      url: route.path,
      onRequest: gate(site, route),
      ...(route.bodyBytes !== undefined && { bodyLimit: route.bodyBytes }),
      handler: (request, reply) => endpointFor(route, request.method)?.(site, request, reply),
    })
  }
  return server
}

function logResponses(server: FastifyInstance, { latchkey: { log } }: Site): void {
  server.addHook("onResponse", (request, reply, done) => {
    // The route, not what was sent: an address that leads nowhere may hold a token that somebody pasted there.
    const path = request.routeOptions.url ?? null
    const milliseconds = Math.round(reply.elapsedTime * 10) / 10
    log.debug({
      request_id: request.id,
      method: request.method,
      path,
      status: reply.statusCode,
      milliseconds,
    })
    done()
  })
}

/**
 * At the end, the framework closes the connections that are idle as it begins. Those that are answered later would stay
 * open for as long as their clients like, and keep the process waiting for nothing.
 */
function closeAnsweredConnections(server: FastifyInstance): void {
  let sweep: NodeJS.Timeout | undefined
  server.addHook("preClose", (done) => {
    sweep = setInterval(() => server.server.closeIdleConnections(), SWEEP_MILLISECONDS)
    done()
  })
  server.addHook("onClose", (_, done) => {
    clearInterval(sweep)
    done()
  })
}

/** Behind a proxy that keeps the base path and behind one that strips it, the routes are the same. */
function withoutBasePath(url: string, basePath: string): string {
  if (basePath === "" || !url.startsWith(basePath)) return url
  const rest = url.slice(basePath.length)
  if (rest === "") return "/"
  return rest.startsWith("/") ? rest : rest.startsWith("?") ? `/${rest}` : url
}
