/** The error responses of the service's own API, with their Bearer challenge. RFC 6750 §3, RFC 9470 §3. */
import { wireError } from "../../model/refusals/reasons.rules.ts"
import type { Refusal } from "../../model/refusals/refusal.rules.ts"
import type { HttpReply, HttpRequest } from "./connection/message.ts"
import { noteRefusal, sendJson } from "./respond.ts"
import type { HttpContext } from "./http-context.ts"

/** Every status of the API with its HTTP code. A body that is too large or is not JSON has another HTTP code. */
export const apiStatuses = {
  INVALID_ARGUMENT: 400,
  FAILED_PRECONDITION: 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  ALREADY_EXISTS: 409,
  CONFLICT: 409,
  INTERNAL: 500,
  UNAVAILABLE: 503,
} as const

export type ApiStatus = keyof typeof apiStatuses

/** The error result of an operation. `message` is for the developer of the app. */
export type Refused<S extends ApiStatus = ApiStatus> = {
  readonly refused: S
  readonly message: string
  /** Replaces the usual HTTP code of the status. */
  readonly code?: 413 | 415
}

export function refused<const S extends ApiStatus>(status: S, message: string): Refused<S> {
  return { refused: status, message }
}

/** The id of another account gets the same error, so that callers cannot probe for ids. */
export function unknown(what: string): Refused<"NOT_FOUND"> {
  return refused("NOT_FOUND", `There is no such ${what}.`)
}

export function sendRefused(reply: HttpReply, { refused: status, message, code }: Refused): HttpReply {
  return sendApiError(reply, code ?? apiStatuses[status], status, message)
}

export function sendApiError(reply: HttpReply, code: number, status: ApiStatus, message: string): HttpReply {
  return sendJson(reply, code, { error: { code, status, message } })
}

/** Sends a refusal of a protected endpoint. `needed` lists the permissions that the endpoint requires. */
export function sendBearerRefusal(
  context: HttpContext,
  request: HttpRequest,
  reply: HttpReply,
  refusal: Refusal,
  needed: readonly string[],
): HttpReply {
  noteRefusal(context, request, refusal)
  setBearerChallenge(context, reply, refusal, needed)
  const { status, description } = wireError(refusal.reason)
  if (refusal.reason === "elevationLacking") reply.header("service-elevation-required", "1")
  return sendApiError(reply, status, apiStatus(refusal), description)
}

function apiStatus({ reason }: Refusal): ApiStatus {
  if (reason === "elevationLacking") return "FAILED_PRECONDITION"
  return reason === "permissionLacking" ? "PERMISSION_DENIED" : "UNAUTHENTICATED"
}

/** Sends a refusal of a protected endpoint of OAuth. Its body has the form of RFC 6749 §5.2. */
export function sendBearerError(
  context: HttpContext,
  request: HttpRequest,
  reply: HttpReply,
  refusal: Refusal,
  needed: readonly string[],
): HttpReply {
  noteRefusal(context, request, refusal)
  setBearerChallenge(context, reply, refusal, needed)
  const { status, error, description } = wireError(refusal.reason)
  return sendJson(reply, status, { error, error_description: description })
}

/** Sets the challenge of RFC 6750 §3, which names the metadata of the service. */
function setBearerChallenge(
  context: HttpContext,
  reply: HttpReply,
  refusal: Refusal,
  needed: readonly string[],
): void {
  const { error, description } = wireError(refusal.reason)
  const parameters = [["realm", "latchkey"]]
  // A challenge to a request without a token has no error code. RFC 6750 §3.1.
  if (refusal.reason !== "accessTokenMissing")
    parameters.push(["error", error], ["error_description", description])
  if (needed.length > 0) parameters.push(["scope", needed.join(" ")])
  parameters.push(["resource_metadata", resourceMetadataUrl(context)])
  reply.header(
    "www-authenticate",
    `Bearer ${parameters.map(([name, value]) => `${name}="${value}"`).join(", ")}`,
  )
}

/** Inserts the well-known path between the host and the path of the resource. RFC 9728 §3.1. */
function resourceMetadataUrl({ origin, basePath }: HttpContext): string {
  return `${origin}/.well-known/oauth-protected-resource${basePath}`
}
