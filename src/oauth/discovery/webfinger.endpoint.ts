/** `GET /.well-known/webfinger`. RFC 7033 §4; interface OIDC-11. */
import { parseForm } from "../../kernel/form.ts"
import type { Endpoint } from "../../platform/http/endpoint.ts"
import { answerUnknown } from "../../platform/http/fault.ts"
import { queryOf } from "../../platform/http/request.ts"
import { jsonText, sendRefusal } from "../../platform/http/respond.ts"
import { describedResource } from "./webfinger.rules.ts"

export const webfinger: Endpoint = (context, request, reply) => {
  const described = describedResource(parseForm(queryOf(request)), context.services.issuer)
  if (described === 404) return answerUnknown(context, request, reply)
  if (described === 400) {
    const refusal = { reason: "parameterMalformed", parameter: "resource" } as const
    return sendRefusal(context, request, reply, refusal)
  }
  return reply
    .code(200)
    .header("content-type", "application/jrd+json")
    .header("x-content-type-options", "nosniff")
    .send(jsonText(described))
}
