/** POST /oauth/authorize: leads to the same request by GET. OpenID Connect Core §3.1.2.1; interface OIDC-5. */
import type { Endpoint } from "../../platform/http/endpoint.ts"
import { rawFormOf } from "../../platform/http/request.ts"
import { noteRefusal, sendErrorPage, sendSeeOther } from "../../platform/http/respond.ts"

/** A longer URL would not fit the 8 KB that nginx reads by default. */
const LENGTH_AT_MOST = 7_500

export const authorizeByForm: Endpoint = async (context, request, reply) => {
  const { openid } = await context.services.settings.current()
  if (!openid) {
    const allow = "GET, HEAD"
    noteRefusal(context, request, { reason: "methodNotAllowed", allow })
    return sendErrorPage(context, reply.header("allow", allow), 405, { kind: "notFound" })
  }
  const { body } = request
  if (rawFormOf(request) === null || typeof body !== "string" || body.length > LENGTH_AT_MOST)
    return sendErrorPage(context, reply, 400, { kind: "requestMalformed" })
  return sendSeeOther(context, reply, `${context.basePath}/oauth/authorize?${body}`)
}
