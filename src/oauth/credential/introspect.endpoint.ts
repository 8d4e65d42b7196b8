/** POST /oauth/introspect: RFC 7662, for apps that an administrator marked as resource servers. */
import { introspect as introspectToken } from "./introspect.ts"
import { sendJson, sendRefusal } from "../../http/respond.ts"
import { lookedUp, tokenCallOf } from "../clients/client-request.ts"
import type { Endpoint } from "../../http/endpoint.ts"

export const introspect: Endpoint = async (site, request, reply) => {
  const call = await tokenCallOf(site, request)
  if (!call.ok) return sendRefusal(site, request, reply, call.refusal)
  const { caller, text } = call.value
  const answer = lookedUp(request, await introspectToken(site.services, caller, text))
  return answer.ok ? sendJson(reply, 200, answer.value) : sendRefusal(site, request, reply, answer.refusal)
}
