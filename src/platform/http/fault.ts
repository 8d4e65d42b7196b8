/** Responses to unknown paths, unreadable requests, an unavailable database and bugs. */
import { wireError } from "../../model/refusals/reasons.rules.ts"
import { type ErrorCode, unavailable, type WireError } from "../../model/refusals/wire-error.rules.ts"
import { StoreLocked, StoreUnavailable } from "../../store/unavailable.ts"
import { isOutOfFiles } from "./connection/out-of-files.ts"
import { PASSWORD_RETRY_AFTER_SECONDS, PasswordQueueFull } from "../services/password-queue.ts"
import { sendApiError } from "./api-error.ts"
import { setCorsHeaders } from "./headers.ts"
import { NO_ROOM_FOR_BODY } from "./connection/held-bodies.ts"
import type { Cut, HttpReply, HttpRequest } from "./connection/message.ts"
import { REQUEST_ID } from "./request-id.ts"
import { noteRefusal, sendErrorPage, sendJson } from "./respond.ts"
import type { Family } from "./connection/family.ts"
import type { HttpContext } from "./http-context.ts"
import { END_SESSION_PATH, endpoints } from "../../model/refusals/endpoints.rules.ts"

const RETRY_AFTER_SECONDS = 2

type Fault = Pick<WireError, "status" | "description"> & { readonly error: ErrorCode | "server_error" }

const broken: Fault = {
  status: 500,
  error: "server_error",
  description: "Something went wrong inside the service.",
}

export function answerFault(
  context: HttpContext,
  request: HttpRequest,
  reply: HttpReply,
  fault: unknown,
): HttpReply {
  const { tallies } = context.services
  // A header of the failed response may be invalid, so all are removed. The request id is set again. Requests that
  // failed before the gate do not have it yet.
  reply.clear().header(REQUEST_ID, request.id)
  if (fault instanceof PasswordQueueFull) {
    reply.header("retry-after", PASSWORD_RETRY_AFTER_SECONDS)
    return answer(context, request, reply, busy)
  }
  const away =
    fault instanceof StoreUnavailable
      ? "the database cannot answer"
      : isOutOfFiles(fault)
        ? "no file descriptor is left"
        : fault === NO_ROOM_FOR_BODY
          ? "the memory for request bodies is full"
          : null
  if (away !== null) {
    tallies.count("service.unavailable")
    context.outages.note(request.id, fault, away)
    reply.header("retry-after", RETRY_AFTER_SECONDS)
    return answer(context, request, reply, fault instanceof StoreLocked ? locked : unavailable)
  }
  tallies.count("service.fault")
  context.services.log.error({ request_id: request.id, err: fault }, "fault")
  return answer(context, request, reply, broken)
}

/** The database refused the request before it wrote anything. LOAD-5. */
const locked: Fault = { ...unavailable }

/** The response if the queue of password checks is full. Pages with a password form have their own message. LOAD-3. */
const busy: Fault = {
  status: 503,
  error: "temporarily_unavailable",
  description: "Too many passwords are being checked.",
}

/** Descriptions for the API. They replace descriptions that mention forms. */
const apiDescriptions: ReadonlyMap<Fault, string> = new Map<Fault, string>([
  [wireError("bodyTooLarge"), "The body is larger than this address takes."],
  [wireError("bodyNotForm"), "The body cannot be read."],
])

/** The token endpoint sends status 400 for every such request, even if the body is too large. */
export function answerUnread(
  context: HttpContext,
  request: HttpRequest,
  reply: HttpReply,
  reason: "addressMalformed" | "bodyTooLarge",
): HttpReply {
  // The gate normally sets the request id, but a request with an unreadable path does not reach the gate.
  reply.header(REQUEST_ID, request.id)
  noteRefusal(context, request, { reason })
  const fault = wireError(reason)
  const isTokenRequest = pathOf(request) === endpoints.token_endpoint
  return answer(context, request, reply, isTokenRequest ? { ...fault, status: 400 } : fault)
}

export function answerCut(context: HttpContext, request: HttpRequest, reply: HttpReply, cut: Cut): HttpReply {
  return answer(context, request, reply, { ...cut, error: "invalid_request" })
}

export function answerUnknown(context: HttpContext, request: HttpRequest, reply: HttpReply): HttpReply {
  reply.header(REQUEST_ID, request.id)
  if (hasCors(request)) setCorsHeaders(reply)
  switch (familyOf(request)) {
    case "api":
      return sendApiError(reply, 404, "NOT_FOUND", "There is nothing at this address.")
    case "oauth":
      return sendJson(reply, 404, { error: "not_found", error_description: nothingAt(context, request) })
    case "page":
      return sendErrorPage(context, reply, 404, { kind: "notFound" })
  }
}

/**
 * This is not a provider of OpenID Connect, so this address is never a copy of the OAuth metadata: libraries look for
 * those only after a 404. DISC-6.
 */
const OPENID_METADATA = /^\/\.well-known\/openid-configuration(?:\/|$)/

function nothingAt({ origin, basePath }: HttpContext, request: HttpRequest): string {
  const nothing = "There is nothing at this address."
  return OPENID_METADATA.test(pathOf(request))
    ? `${nothing} The OAuth metadata is at ${origin}/.well-known/oauth-authorization-server${basePath}.`
    : nothing
}

function answer(context: HttpContext, request: HttpRequest, reply: HttpReply, fault: Fault): HttpReply {
  const { status, error, description } = fault
  if (hasCors(request)) setCorsHeaders(reply)
  switch (familyOf(request)) {
    case "api":
      return sendApiError(
        reply,
        status,
        status === 503 ? "UNAVAILABLE" : status === 500 ? "INTERNAL" : "INVALID_ARGUMENT",
        apiDescriptions.get(fault) ?? description,
      )
    case "oauth":
      return sendJson(reply, status, {
        error,
        error_description: description,
        ...(status >= 500 && { request_id: request.id }),
      })
    case "page":
      if (fault === busy) return sendErrorPage(context, reply, 503, { kind: "busy" })
      if (fault === locked) return sendErrorPage(context, reply, 503, { kind: "locked" })
      if (status === 503) return sendErrorPage(context, reply, 503, { kind: "unavailable" })
      if (status === 500) return sendErrorPage(context, reply, 500, { kind: "fault" })
      return sendErrorPage(context, reply, status, {
        kind: fault === wireError("addressMalformed") ? "notFound" : "formUnread",
      })
  }
}

/** Without CORS headers, an app in a browser cannot read the error. An unknown path has no route that decides. */
function hasCors(request: HttpRequest): boolean {
  return familyOf(request) !== "page" && pathOf(request) !== "/health"
}

const OAUTH_PAGES: readonly string[] = [
  endpoints.authorization_endpoint,
  "/oauth/consent",
  "/oauth/device",
  END_SESSION_PATH,
]

/** Returns the family of a known or unknown path. Errors for apps are never HTML. */
function familyOf(request: HttpRequest): Family {
  const path = pathOf(request)
  if (path.startsWith("/api/")) return "api"
  const isOfApps = path.startsWith("/oauth/") && !OAUTH_PAGES.includes(path)
  return isOfApps || path.startsWith("/.well-known/") || path === "/health" ? "oauth" : "page"
}

/** Returns the decoded path, because the router also decodes escapes. */
function pathOf({ url }: HttpRequest): string {
  const path = url.split(/[?#]/, 1)[0] ?? ""
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
