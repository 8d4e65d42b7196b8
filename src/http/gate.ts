/**
 * What stands before every endpoint, in this order: the number of the request, CORS, the shared budget, the method. The
 * body is read only after all of them. Interface RATE-*, ERR-*.
 */
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from "fastify"
import type { Admission } from "../core/rate-limit.ts"
import type { Refusal } from "../core/refusal.ts"
import type { Settings } from "../core/setting.ts"
import { sendApiError } from "./api/api-error.ts"
import { budgetKey } from "./client-address.ts"
import { addressOf, type Endpoint } from "./endpoint/endpoint.ts"
import { answerUnknown } from "./fault.ts"
import { setCorsHeaders, setPreflightHeaders } from "./headers.ts"
import { REQUEST_ID } from "./request-id.ts"
import { noteRefusal, sendErrorPage, sendRefusal } from "./respond.ts"
import type { Route } from "./routes.ts"
import type { Site } from "./site.ts"

export function gate(site: Site, route: Route): onRequestHookHandler {
  const methods = methodsOf(route)
  const enter: onRequestHookHandler = (request, reply, done) => {
    reply.header(REQUEST_ID, request.id)
    if (route.isOpen) {
      if (request.method === "OPTIONS") {
        setPreflightHeaders(reply, methods)
        return void reply.code(204).send()
      }
      setCorsHeaders(reply)
    }
    const refusal = route.isCounted ? overBudget(site, request) : null
    const next = (refused: Refusal | null) => {
      const judged =
        refused ?? (endpointFor(route, request.method) === undefined ? wrongMethod(methods) : null)
      if (judged === null) done()
      else sendGateRefusal(site, route, request, reply, judged)
    }
    if (refusal instanceof Promise) refusal.then(next, done)
    else next(refusal)
  }
  return route.isThere === undefined ? enter : whereItIs(site, route.isThere, enter)
}

/** REG-1: an address that a setting takes away is told apart from an unknown one by nothing. */
function whereItIs(
  site: Site,
  isThere: (settings: Settings) => boolean,
  enter: onRequestHookHandler,
): onRequestHookHandler {
  return function (request, reply, done) {
    const go = (settings: Settings) =>
      isThere(settings) ? enter.call(this, request, reply, done) : void answerUnknown(site, request, reply)
    const settings = site.latchkey.settings.current()
    if (settings instanceof Promise) settings.then(go).catch(done)
    else go(settings)
  }
}

export function endpointFor(route: Route, method: string): Endpoint | undefined {
  switch (method) {
    case "GET":
    case "HEAD":
      return route.get
    case "POST":
      return route.post
    case "PUT":
      return route.put
    case "PATCH":
      return route.patch
    case "DELETE":
      return route.delete
  }
  return undefined
}

function overBudget(site: Site, request: FastifyRequest): Refusal | null | Promise<Refusal | null> {
  const settings = site.latchkey.settings.current()
  return settings instanceof Promise
    ? settings.then((fresh) => spend(site, request, fresh))
    : spend(site, request, settings)
}

function spend(
  site: Site,
  request: FastifyRequest,
  { anonymousBudget }: Settings,
): Refusal | null | Promise<Refusal | null> {
  if (anonymousBudget === null) return null
  const key = `anonymous ${budgetKey(addressOf(site, request))}`
  const admission = site.latchkey.budget.spend(key, anonymousBudget)
  return admission instanceof Promise ? admission.then(refusalOf) : refusalOf(admission)
}

function refusalOf(admission: Admission): Refusal | null {
  return admission.admitted ? null : { reason: "budgetSpent", retryAfterSeconds: admission.retryAfterSeconds }
}

function wrongMethod(allow: string): Refusal {
  return { reason: "methodNotAllowed", allow }
}

function methodsOf(route: Route): string {
  const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"].filter(
    (method) => endpointFor(route, method) !== undefined,
  )
  return [...methods, ...(route.isOpen ? ["OPTIONS"] : [])].join(", ")
}

function sendGateRefusal(
  site: Site,
  { family }: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: Refusal,
): void {
  if (family === "oauth") return void sendRefusal(site, request, reply, refusal)
  noteRefusal(site, request, refusal)
  if (refusal.reason === "methodNotAllowed") reply.header("allow", refusal.allow)
  if (family === "api")
    return void sendApiError(reply, 405, "INVALID_ARGUMENT", "This address does not answer that method.")
  sendErrorPage(site, reply, 405, { kind: "notFound" })
}
