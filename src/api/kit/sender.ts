/** Who sends a request: asked before a body is read that is larger than what anonymous callers may send. LOAD-1. */
import { checkBearer } from "../../oauth/credential/bearer.ts"
import { bearerTokenOf } from "./protected.ts"
import type { HttpRequest } from "../../http/connection/message.ts"
import { browserOf } from "../../http/browser-cookies.ts"
import type { HttpContext } from "../../http/http-context.ts"

/** Whether it carries a live session or access token. What that permits is the endpoint's matter. */
export async function isFromAccount(context: HttpContext, request: HttpRequest): Promise<boolean> {
  if (request.route?.family !== "api") return (await browserOf(context, request)).signedIn !== null
  const token = bearerTokenOf(request)
  return token !== null && (await checkBearer(context.services, token)).ok
}
