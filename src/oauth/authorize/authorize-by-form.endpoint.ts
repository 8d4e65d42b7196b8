/** POST /oauth/authorize: leads to the same request by GET. OpenID Connect Core §3.1.2.1; interface OIDC-6. */
import { endpoints } from "../../model/refusals/endpoints.rules.ts"
import type { HttpReply, HttpRequest } from "../../platform/http/connection/message.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import type { Endpoint } from "../../platform/http/endpoint.ts"
import { rawFormOf } from "../../platform/http/request.ts"
import { sendErrorPage, sendSeeOther } from "../../platform/http/respond.ts"

/** A longer URL would not fit the 8 KB that nginx reads by default. */
const LENGTH_AT_MOST = 7_500

export const authorizeByForm: Endpoint = (context, request, reply) => {
  return sendByGet(context, request, reply, endpoints.authorization_endpoint, "requestMalformed")
}

/** Leads from the form of an app to the same request by GET. */
export function sendByGet(
  context: HttpContext,
  request: HttpRequest,
  reply: HttpReply,
  path: string,
  ifTooLong: "requestMalformed" | "signOutMalformed",
): HttpReply {
  const { body } = request
  if (rawFormOf(request) === null || typeof body !== "string" || body.length > LENGTH_AT_MOST)
    return sendErrorPage(context, reply, 400, { kind: ifTooLong })
  return sendSeeOther(context, reply, `${context.basePath}${path}?${body}`)
}
