/** What no endpoint answers: unknown addresses, unreadable requests, a database that is away, and bugs. */
import type { FastifyReply, FastifyRequest } from "fastify"
import { type ErrorCode, unavailable, wireErrors } from "../core/errors.ts"
import { StoreUnavailable } from "../store/store.ts"
import { sendApiError } from "./api/api-error.ts"
import { sendErrorPage, sendJson } from "./respond.ts"
import type { Family } from "./routes.ts"
import type { Site } from "./site.ts"

const RETRY_AFTER_SECONDS = 2

export function answerFault(
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  fault: unknown,
): FastifyReply {
  if (fault instanceof StoreUnavailable) {
    site.latchkey.log.error({ request_id: request.id, err: fault }, "the database cannot answer")
    reply.header("retry-after", RETRY_AFTER_SECONDS)
    const { status, error, description } = unavailable
    return answer(site, request, reply, status, error, description)
  }
  const refused = unreadable(fault)
  if (refused !== null)
    return answer(site, request, reply, refused.status, refused.error, refused.description)
  site.latchkey.log.error({ request_id: request.id, err: fault }, "fault")
  return answer(site, request, reply, 500, "server_error", "Something went wrong inside the service.")
}

/** Requests that the framework itself could not read. */
function unreadable(fault: unknown) {
  const { statusCode } = fault as { statusCode?: number }
  if (statusCode === 413) return wireErrors.bodyTooLarge
  if (statusCode === undefined || statusCode < 400 || statusCode >= 500) return null
  return wireErrors.bodyNotForm
}

export function answerUnknown(site: Site, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  switch (familyOf(request)) {
    case "api":
      return sendApiError(reply, 404, "NOT_FOUND", "There is nothing at this address.")
    case "oauth":
      return sendJson(reply, 404, {
        error: "not_found",
        error_description: "There is nothing at this address.",
      })
    case "page":
      return sendErrorPage(site, reply, 404, { kind: "notFound" })
  }
}

function answer(
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  error: ErrorCode | "server_error",
  description: string,
): FastifyReply {
  switch (familyOf(request)) {
    case "api":
      return sendApiError(
        reply,
        status,
        status === 503 ? "UNAVAILABLE" : status === 500 ? "INTERNAL" : "INVALID_ARGUMENT",
        description,
      )
    case "oauth":
      return sendJson(reply, status, { error, error_description: description })
    case "page":
      if (status === 503)
        return sendErrorPage(site, reply, 503, { kind: "unavailable", requestId: request.id })
      if (status === 500) return sendErrorPage(site, reply, 500, { kind: "fault", requestId: request.id })
      return sendErrorPage(site, reply, status, { kind: "requestMalformed" })
  }
}

/** The family of an address, known or not: apps never get a page for an error. */
function familyOf(request: FastifyRequest): Family {
  const path = (request.raw.url ?? "").split("?", 1)[0] ?? ""
  if (path.startsWith("/api/")) return "api"
  const isPage = path === "/oauth/authorize" || path === "/oauth/consent" || path === "/oauth/device"
  if (path.startsWith("/.well-known/") || path === "/health" || (path.startsWith("/oauth/") && !isPage))
    return "oauth"
  return "page"
}
