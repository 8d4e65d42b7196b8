/**
 * The checks before every endpoint, in this order: request id, CORS, anonymous budget, method. The body is read after
 * these checks. Interface RATE-*, ERR-*.
 */
import type { Admission } from "../../kernel/rate-limit.ts"
import type { Refusal } from "../../model/refusals/refusal.rules.ts"
import type { Settings } from "../../model/setting.rules.ts"
import { sendApiError } from "./api-error.ts"
import { budgetKey } from "./connection/client-address.ts"
import { addressOf, type Endpoint } from "./endpoint.ts"
import { answerUnknown } from "./fault.ts"
import { setCorsHeaders, setPreflightHeaders } from "./headers.ts"
import type { HttpReply, HttpRequest } from "./connection/message.ts"
import { REQUEST_ID } from "./request-id.ts"
import { noteRefusal, sendErrorPage, sendRefusal } from "./respond.ts"
import type { Route } from "./route.ts"
import type { HttpContext } from "./http-context.ts"

/** Returns whether the request may proceed to its endpoint. If it may not, the gate has sent the response. */
export type Gate = (request: HttpRequest, reply: HttpReply) => boolean | Promise<boolean>

export function gate(context: HttpContext, { isPostEnabled, ...route }: Route): Gate {
  if (isPostEnabled !== undefined) return onlyPostIf(context, isPostEnabled, route)
  const methods = methodsOf(route)
  const judge = (request: HttpRequest, reply: HttpReply, spent: Refusal | null): boolean => {
    const refusal = spent ?? (endpointFor(route, request.method) === undefined ? wrongMethod(methods) : null)
    if (refusal !== null) sendGateRefusal(context, route, request, reply, refusal)
    return refusal === null
  }
  const enter: Gate = (request, reply) => {
    reply.header(REQUEST_ID, request.id)
    if (route.hasCors) {
      if (request.method === "OPTIONS") {
        setPreflightHeaders(reply, methods)
        reply.code(204).send()
        return false
      }
      setCorsHeaders(reply)
    }
    if (!route.isRateLimited) return judge(request, reply, null)
    const refusal = overBudget(context, request)
    return refusal instanceof Promise
      ? refusal.then((spent) => judge(request, reply, spent))
      : judge(request, reply, refusal)
  }
  return route.isEnabled === undefined ? enter : onlyIfEnabled(context, route.isEnabled, enter)
}

function onlyPostIf(
  context: HttpContext,
  isEnabled: (settings: Settings) => boolean,
  { post, ...route }: Route,
): Gate {
  const without = gate(context, route)
  const whole = gate(context, { ...route, ...(post !== undefined && { post }) })
  return async (request, reply) =>
    (isEnabled(await context.services.settings.current()) ? whole : without)(request, reply)
}

/** A disabled endpoint answers exactly like an unknown path. REG-1. */
function onlyIfEnabled(context: HttpContext, isEnabled: NonNullable<Route["isEnabled"]>, enter: Gate): Gate {
  return (request, reply) => {
    const go = (settings: Settings) => {
      if (isEnabled(settings, context.services)) return enter(request, reply)
      answerUnknown(context, request, reply)
      return false
    }
    const settings = context.services.settings.current()
    return settings instanceof Promise ? settings.then(go) : go(settings)
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

function overBudget(context: HttpContext, request: HttpRequest): Refusal | null | Promise<Refusal | null> {
  const settings = context.services.settings.current()
  return settings instanceof Promise
    ? settings.then((fresh) => spend(context, request, fresh))
    : spend(context, request, settings)
}

function spend(
  context: HttpContext,
  request: HttpRequest,
  { anonymousBudget }: Settings,
): Refusal | null | Promise<Refusal | null> {
  const { budget } = context.services
  const key = budgetKey(addressOf(context, request))
  const admission = budget.spend(key, anonymousBudget)
  return admission instanceof Promise
    ? admission.then((answered) => refusalOf(budget, key, answered))
    : refusalOf(budget, key, admission)
}

function refusalOf(
  { refused }: HttpContext["services"]["budget"],
  key: string,
  admission: Admission | null,
): Refusal | null {
  if (admission === null || admission.admitted) return null
  refused.note(key)
  return { reason: "budgetSpent", retryAfterSeconds: admission.retryAfterSeconds }
}

function wrongMethod(allow: string): Refusal {
  return { reason: "methodNotAllowed", allow }
}

function methodsOf(route: Route): string {
  const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"].filter(
    (method) => endpointFor(route, method) !== undefined,
  )
  return [...methods, ...(route.hasCors ? ["OPTIONS"] : [])].join(", ")
}

function sendGateRefusal(
  context: HttpContext,
  { family }: Route,
  request: HttpRequest,
  reply: HttpReply,
  refusal: Refusal,
): void {
  if (family === "oauth") return void sendRefusal(context, request, reply, refusal)
  noteRefusal(context, request, refusal)
  if (refusal.reason === "methodNotAllowed") reply.header("allow", refusal.allow)
  if (family === "api")
    return void sendApiError(reply, 405, "INVALID_ARGUMENT", "This address does not answer that method.")
  sendErrorPage(context, reply, 405, { kind: "notFound" })
}
