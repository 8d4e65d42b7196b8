/** `GET /.well-known/webfinger`. RFC 7033 §4; interface OIDC-11. */
import { parseForm } from "../../kernel/form.ts"
import type { Endpoint } from "../../platform/http/endpoint.ts"
import { queryOf } from "../../platform/http/request.ts"
import { jsonText, sendJson } from "../../platform/http/respond.ts"
import { describedResource } from "./webfinger.rules.ts"

export const webfinger: Endpoint = ({ services }, request, reply) => {
  const described = describedResource(parseForm(queryOf(request)), services.issuer)
  if (typeof described === "number") return sendJson(reply, described, {})
  return reply
    .code(200)
    .header("content-type", "application/jrd+json")
    .header("x-content-type-options", "nosniff")
    .send(jsonText(described))
}
