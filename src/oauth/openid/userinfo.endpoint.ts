/** `GET|POST /oauth/userinfo`. OpenID Connect Core §5.3; interface OIDC-3. */
import { OPENID } from "../../model/permissions/openid-permissions.rules.ts"
import type { Endpoint } from "../../platform/http/endpoint.ts"
import { sendBearerError } from "../../platform/http/api-error.ts"
import { sendJson } from "../../platform/http/respond.ts"
import type { HttpRequest } from "../../platform/http/connection/message.ts"
import { formOf } from "../../platform/http/request.ts"
import { bearerOf, bearerTokenOf } from "../credential/protected.ts"
import { claimsOf } from "./claims.rules.ts"

export const userinfo: Endpoint = async (context, request, reply) => {
  const bearer = await bearerOf(context, request, [OPENID], tokenOf(request))
  if (!bearer.ok) return sendBearerError(context, request, reply, bearer.error, [OPENID])
  const { account, reach } = bearer.value
  const { email } = await context.services.store.read({ email: account.userId })
  return sendJson(reply, 200, claimsOf(reach, account, email))
}

/** A POST without the header may have the token in its form. RFC 6750 §2.2. */
function tokenOf(request: HttpRequest): string | null {
  const { method, headers } = request
  if (method !== "POST" || headers.authorization !== undefined) return bearerTokenOf(request)
  const form = formOf(request)
  return form.ok ? (form.value.values.get("access_token") ?? null) : null
}
