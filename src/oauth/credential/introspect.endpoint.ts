/** POST /oauth/introspect: RFC 7662, for apps that an administrator marked as resource servers. */
import { asResourceServer, introspect as introspectToken } from "./introspect.ts"
import { sendJson, sendRefusal } from "../../platform/http/respond.ts"
import { lookedUp, tokenCallOf } from "../clients/client-request.ts"
import type { Endpoint } from "../../platform/http/endpoint.ts"

export const introspect: Endpoint = async (context, request, reply) => {
  const called = tokenCallOf(context, request, asResourceServer)
  const call = called instanceof Promise ? await called : called
  if (!call.ok) return sendRefusal(context, request, reply, call.error)
  const { caller, text } = call.value
  const answer = lookedUp(request, await introspectToken(context.services, caller, text))
  return answer.ok ? sendJson(reply, 200, answer.value) : sendRefusal(context, request, reply, answer.error)
}
