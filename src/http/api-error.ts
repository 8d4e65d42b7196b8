/** The one error shape of the service's own API, with the challenge that belongs to it. RFC 6750 §3, RFC 9470 §3. */
import { wireError } from "../oauth/reasons.rules.ts"
import type { Refusal } from "../oauth/refusal.rules.ts"
import type { HttpReply, HttpRequest } from "./connection/message.ts"
import { noteRefusal, sendJson } from "./respond.ts"
import type { HttpContext } from "./http-context.ts"

/** Every status of the API with its HTTP code. A body that is too large or no JSON has a code of its own. */
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

/** What an operation answers in place of what it gives. `message` is for the developer of the app. */
export type Refused<S extends ApiStatus = ApiStatus> = {
  readonly refused: S
  readonly message: string
  /** Where the HTTP code is not the one of the status. */
  readonly code?: 413 | 415
}

export function refused<const S extends ApiStatus>(status: S, message: string): Refused<S> {
  return { refused: status, message }
}

/** The answer for an unknown id and for one of another account: the two do not differ. */
export function unknown(what: string): Refused<"NOT_FOUND"> {
  return refused("NOT_FOUND", `There is no such ${what}.`)
}

export function sendRefused(reply: HttpReply, { refused: status, message, code }: Refused): HttpReply {
  return sendApiError(reply, code ?? apiStatuses[status], status, message)
}

export function sendApiError(reply: HttpReply, code: number, status: ApiStatus, message: string): HttpReply {
  return sendJson(reply, code, { error: { code, status, message } })
}

/** Refusals at a protected address. `needed` are the permissions that it asks for. */
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

/** RFC 6750 §3: the challenge, with where to find the service that gives credentials. */
export function setBearerChallenge(
  context: HttpContext,
  reply: HttpReply,
  refusal: Refusal,
  needed: readonly string[],
): void {
  const { error, description } = wireError(refusal.reason)
  const parameters = [["realm", "latchkey"]]
  // RFC 6750 §3.1: a request that carries no token at all is told no error code.
  if (refusal.reason !== "accessTokenMissing")
    parameters.push(["error", error], ["error_description", description])
  if (needed.length > 0) parameters.push(["scope", needed.join(" ")])
  parameters.push(["resource_metadata", resourceMetadataUrl(context)])
  reply.header(
    "www-authenticate",
    `Bearer ${parameters.map(([name, value]) => `${name}="${value}"`).join(", ")}`,
  )
}

/** RFC 9728 §3.1: the well-known path stands between the host and the path of the resource. */
function resourceMetadataUrl({ origin, basePath }: HttpContext): string {
  return `${origin}/.well-known/oauth-protected-resource${basePath}`
}
