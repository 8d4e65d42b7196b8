/** Authenticates and authorizes requests to the API. RFC 6750 §2.1; interface AUTH-1. */
import { isMeantForService } from "./audience.rules.ts"
import type { Bearer } from "./bearer.rules.ts"
import type { Permission } from "../../kernel/ids.ts"
import { type Result, err } from "../../kernel/result.ts"
import type { Refusal } from "../../model/refusals/refusal.rules.ts"
import { checkBearer } from "./bearer.ts"
import type { HttpRequest } from "../../platform/http/connection/message.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"

/**
 * Checks the access token of a request and its permissions. Without `text`, the token is that of the Authorization
 * header.
 *
 * Refuses: accessTokenMissing, accessTokenInvalid, accessTokenForAnotherResource, permissionLacking.
 */
export async function bearerOf(
  { services }: HttpContext,
  request: HttpRequest,
  needed: readonly string[],
  text = bearerTokenOf(request),
): Promise<Result<Bearer, Refusal>> {
  if (text === null) return err({ reason: "accessTokenMissing" })
  const bearer = await checkBearer(services, text)
  if (!bearer.ok) return bearer
  request.knownClientId = bearer.value.client.clientId
  if (!isMeantForService(bearer.value.credential.consent.resources, services.issuer))
    return err({ reason: "accessTokenForAnotherResource" })
  const isCovered = needed.every((permission) => bearer.value.reach.includes(permission as Permission))
  return isCovered ? bearer : err({ reason: "permissionLacking", needed })
}

/** Returns the token of the Authorization header, or null. RFC 6750 §2.1. */
export function bearerTokenOf({ headers }: HttpRequest): string | null {
  return /^Bearer +(\S+) *$/i.exec(headers.authorization ?? "")?.[1] ?? null
}
