/** POST /oauth/revoke: RFC 7009; interface REV-*. Revoking an ended token succeeds too. */
import { revoke as revokeToken } from "./revoke.ts"
import { sendJson, sendRefusal } from "../../platform/http/respond.ts"
import { lookedUp, tokenCallOf } from "../clients/client-request.ts"
import { addressOf, type Endpoint } from "../../platform/http/endpoint.ts"

export const revoke: Endpoint = async (context, request, reply) => {
  const call = await tokenCallOf(context, request)
  if (!call.ok) return sendRefusal(context, request, reply, call.error)
  const { caller, text } = call.value
  const answer = lookedUp(
    request,
    await revokeToken(context.services, caller, text, addressOf(context, request)),
  )
  return answer.ok ? sendJson(reply, 200, {}) : sendRefusal(context, request, reply, answer.error)
}
