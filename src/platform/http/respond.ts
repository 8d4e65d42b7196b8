import { pageParts } from "../ui/style/style.ts"
import { isDocumentUrl, isIdentifier } from "../../kernel/identifier.ts"
import type { ClientId } from "../../kernel/ids.ts"
import { descriptionOf } from "../../model/refusals/description.rules.ts"
import { wireError } from "../../model/refusals/reasons.rules.ts"
import type { Refusal } from "../../model/refusals/refusal.rules.ts"
import { addressOf } from "./endpoint.ts"
import { refusedNames } from "../../model/tally-names.rules.ts"
import { type ErrorKind, renderError } from "../ui/error.ts"
import { type PagePolicy, setBrowserHeaders, setPageHeaders } from "./headers.ts"
import type { HttpReply, HttpRequest } from "./connection/message.ts"
import { type HttpContext, pageInput } from "./http-context.ts"

export function sendJson(reply: HttpReply, status: number, body: object): HttpReply {
  return (
    reply
      .code(status)
      .header("content-type", "application/json")
      .header("cache-control", "no-store")
      // HTTP/1.0 caches understand only this header. RFC 6749 §5.1.
      .header("pragma", "no-cache")
      .header("x-content-type-options", "nosniff")
      .send(jsonText(body))
  )
}

/** Formats a body as JSON. It ends with a newline, so that a terminal shows its prompt on the next line. */
export function jsonText(body: object): string {
  return `${JSON.stringify(body)}\n`
}

/** Sends an error in the form of RFC 6749 §5.2, from the row of its reason. The log has the details. */
export function sendRefusal(
  context: HttpContext,
  request: HttpRequest,
  reply: HttpReply,
  refusal: Refusal,
): HttpReply {
  const { status, error } = wireError(refusal.reason)
  noteRefusal(context, request, refusal)
  if (status === 401) reply.header("www-authenticate", 'Basic realm="latchkey", charset="UTF-8"')
  if (refusal.reason === "budgetSpent") reply.header("retry-after", refusal.retryAfterSeconds)
  if (refusal.reason === "methodNotAllowed") reply.header("allow", refusal.allow)
  const interval = refusal.reason === "devicePolledEarly" ? { interval: refusal.interval } : {}
  const detail = "description" in refusal ? refusal.description : descriptionOf(refusal)
  return sendJson(reply, status, { error, error_description: detail, ...interval })
}

/** All refusals pass through this function. That of an existing app is counted and shown on its page (HELP-1). */
export function noteRefusal(context: HttpContext, request: HttpRequest, refusal: Refusal): void {
  const { services, refusals, recentRefusals } = context
  const { presentedClientId, knownClientId: known } = request
  refusals.note(request.id, known ?? loggable(presentedClientId), refusal, addressOf(context, request))
  services.tallies.count(refusedNames[refusal.reason], known)
  if (known !== null) recentRefusals.add(known, refusal, request.id, services.clock.now())
}

/** Returns an id of the service's own form. Any other text of an unknown app may be a secret in the wrong place. */
function loggable(presented: ClientId | null): ClientId | null {
  return presented !== null && (isIdentifier(presented) || isDocumentUrl(presented)) ? presented : null
}

export function sendPage(
  context: HttpContext,
  reply: HttpReply,
  status: number,
  page: string,
  policy: PagePolicy = {},
): HttpReply {
  const { before, sheet, after, source } = pageParts(page)
  setPageHeaders(reply, context, { styleSource: source, ...policy })
  return reply.code(status).sendAround(before, sheet, after)
}

export function sendErrorPage(
  context: HttpContext,
  reply: HttpReply,
  status: number,
  error: ErrorKind,
): HttpReply {
  const { request } = reply
  // The link to the choice of a language would repeat the request.
  const page = renderError({ ...pageInput(context, request), self: null, error, requestId: request.id })
  return sendPage(context, reply, status, page)
}

/** Redirects with status 303, so that no browser sends the form again to the new address. RFC 9700 §4.12. */
export function sendSeeOther(context: HttpContext, reply: HttpReply, location: string): HttpReply {
  setBrowserHeaders(reply, context)
  return reply.code(303).header("location", location).send()
}
