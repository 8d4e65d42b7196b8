/** Decides whether a client may send a large body: LOAD-1. */
import { checkBearer } from "../../oauth/credential/bearer.ts"
import { bearerTokenOf } from "../../oauth/credential/protected.ts"
import type { HttpRequest } from "../../platform/http/connection/message.ts"
import { browserOf } from "../../accounts/sessions/browser-cookies.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"

/** Whether the request has a valid session or access token. The endpoint itself checks permissions later. */
export async function isFromAccount(context: HttpContext, request: HttpRequest): Promise<boolean> {
  if (request.route?.family !== "api") return (await browserOf(context, request)).signedIn !== null
  const token = bearerTokenOf(request)
  return token !== null && (await checkBearer(context.services, token)).ok
}
