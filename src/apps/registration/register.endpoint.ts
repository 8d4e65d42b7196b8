/**
 * POST /oauth/register: RFC 7591 §3; interface REG-1, REG-2. While self-registration is disabled, the router treats
 * this path as unknown and does not read the body.
 */
import { parseJson } from "../../kernel/json.ts"
import { register as registerApp } from "./register.ts"
import { jsonTextOf } from "../../platform/http/request.ts"
import { sendJson, sendRefusal } from "../../platform/http/respond.ts"
import { addressOf, type Endpoint } from "../../platform/http/endpoint.ts"

export const register: Endpoint = async (context, request, reply) => {
  const body = parseJson(jsonTextOf(request) ?? "")
  if (body === undefined) return sendRefusal(context, request, reply, { reason: "bodyNotJson" })
  const address = addressOf(context, request)
  const answer = await registerApp(context.services, body, { address })
  return answer.ok ? sendJson(reply, 201, answer.value) : sendRefusal(context, request, reply, answer.error)
}
