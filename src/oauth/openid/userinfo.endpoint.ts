/** `GET|POST /oauth/userinfo`. OpenID Connect Core §5.3; interface OIDC-3. */
import { OPENID } from "../../model/permissions/openid-permissions.rules.ts"
import type { Endpoint } from "../../platform/http/endpoint.ts"
import { sendBearerRefusal } from "../../platform/http/api-error.ts"
import { sendJson } from "../../platform/http/respond.ts"
import { bearerOf } from "../credential/protected.ts"
import { claimsOf } from "./claims.rules.ts"

export const userinfo: Endpoint = async (context, request, reply) => {
  const bearer = await bearerOf(context, request, [OPENID])
  if (!bearer.ok) return sendBearerRefusal(context, request, reply, bearer.error, [OPENID])
  const { account, reach } = bearer.value
  const { email } = await context.services.store.read({ email: account.userId })
  return sendJson(reply, 200, claimsOf(reach, account, email))
}
