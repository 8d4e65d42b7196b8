/** Who calls an address of the API, and whether that is enough for it. RFC 6750 §2.1; interface AUTH-1. */
import type { FastifyReply, FastifyRequest } from "fastify"
import type { Bearer } from "../../core/bearer.ts"
import type { Permission } from "../../core/brand.ts"
import { refuse, type Result } from "../../core/result.ts"
import { checkBearer } from "../../service/bearer.ts"
import type { Endpoint } from "../endpoint/endpoint.ts"
import type { Site } from "../site.ts"
import { sendBearerRefusal } from "./api-error.ts"

/**
 * Only the Authorization header is read; a token in the address or the body is none.
 * Refuses: accessTokenMissing, accessTokenInvalid, permissionLacking.
 */
export async function bearerOf(
  { latchkey }: Site,
  request: FastifyRequest,
  needed: readonly string[],
): Promise<Result<Bearer>> {
  const text = bearerTokenOf(request)
  if (text === null) return refuse({ reason: "accessTokenMissing" })
  const bearer = await checkBearer(latchkey, text)
  if (!bearer.ok) return bearer
  const isCovered = needed.every((permission) => bearer.value.reach.includes(permission as Permission))
  return isCovered ? bearer : refuse({ reason: "permissionLacking", needed })
}

/** The token of the Authorization header; null where it carries none. RFC 6750 §2.1. */
export function bearerTokenOf({ headers }: FastifyRequest): string | null {
  return /^Bearer +(\S+) *$/i.exec(headers.authorization ?? "")?.[1] ?? null
}

export type ProtectedEndpoint = (
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  bearer: Bearer,
) => Promise<FastifyReply> | FastifyReply

export function protectedBy(needed: readonly string[], run: ProtectedEndpoint): Endpoint {
  return async (site, request, reply) => {
    const bearer = await bearerOf(site, request, needed)
    return bearer.ok
      ? run(site, request, reply, bearer.value)
      : sendBearerRefusal(site, request, reply, bearer.refusal, needed)
  }
}

export function requireElevation(
  site: Site,
  request: FastifyRequest,
  reply: FastifyReply,
  { elevatedUntil }: Bearer,
): FastifyReply | null {
  if (elevatedUntil !== null) return null
  return sendBearerRefusal(site, request, reply, { reason: "elevationLacking" }, [])
}
