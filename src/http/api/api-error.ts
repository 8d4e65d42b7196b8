/** The one error shape of the service's own API, with the challenge that belongs to it. RFC 6750 §3, RFC 9470 §3. */
import type { FastifyReply, FastifyRequest } from "fastify"
import { wireError } from "../../core/errors.ts"
import type { Refusal } from "../../core/refusal.ts"
import { noteRefusal, sendJson } from "../respond.ts"
import type { Site } from "../site.ts"

export type ApiStatus =
  | "INVALID_ARGUMENT"
  | "UNAUTHENTICATED"
  | "PERMISSION_DENIED"
  | "NOT_FOUND"
  | "FAILED_PRECONDITION"
  | "RESOURCE_EXHAUSTED"
  | "UNAVAILABLE"
  | "INTERNAL"

export function sendApiError(
  reply: FastifyReply,
  code: number,
  status: ApiStatus,
  message: string,
): FastifyReply {
  return sendJson(reply, code, { error: { code, status, message } })
}

/** Refusals at a protected address. `needed` are the permissions that it asks for. */
export function sendBearerRefusal(
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: Refusal,
  needed: readonly string[],
): FastifyReply {
  noteRefusal(site, request, refusal)
  setBearerChallenge(site, reply, refusal, needed)
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
  site: Site,
  reply: FastifyReply,
  refusal: Refusal,
  needed: readonly string[],
): void {
  const { error, description } = wireError(refusal.reason)
  const parameters = [["realm", "latchkey"]]
  // RFC 6750 §3.1: a request that carries no token at all is told no error code.
  if (refusal.reason !== "accessTokenMissing")
    parameters.push(["error", error], ["error_description", description])
  if (needed.length > 0) parameters.push(["scope", needed.join(" ")])
  parameters.push(["resource_metadata", resourceMetadataUrl(site)])
  reply.header(
    "www-authenticate",
    `Bearer ${parameters.map(([name, value]) => `${name}="${value}"`).join(", ")}`,
  )
}

/** RFC 9728 §3.1: the well-known path stands between the host and the path of the resource. */
function resourceMetadataUrl({ origin, basePath }: Site): string {
  return `${origin}/.well-known/oauth-protected-resource${basePath}`
}
