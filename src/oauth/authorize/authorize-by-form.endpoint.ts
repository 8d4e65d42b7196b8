/** POST /oauth/authorize: leads to the same request by GET. OpenID Connect Core §3.1.2.1; interface OIDC-6. */
import { decodeFormComponent } from "../../kernel/form.ts"
import { endpoints } from "../../model/refusals/endpoints.rules.ts"
import type { HttpReply, HttpRequest } from "../../platform/http/connection/message.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import type { Endpoint } from "../../platform/http/endpoint.ts"
import { rawFormOf } from "../../platform/http/request.ts"
import { sendErrorPage, sendSeeOther } from "../../platform/http/respond.ts"

/** A longer URL would not fit the 8 KB that nginx reads by default. */
const LENGTH_AT_MOST = 7_500

/** The parameters that the two pages read. Another one may be a secret in the wrong place, which no URL may have. */
const CARRIED: ReadonlySet<string | null> = new Set(
  (
    "client_id redirect_uri response_type scope state code_challenge code_challenge_method resource installation_name " +
    "nonce prompt max_age login_hint id_token_hint ui_locales request request_uri post_logout_redirect_uri"
  ).split(" "),
)

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
  const query = body
    .split("&")
    .filter((pair) => CARRIED.has(decodeFormComponent(pair.split("=", 1)[0] ?? "")))
  return sendSeeOther(context, reply, `${context.basePath}${path}?${query.join("&")}`)
}
