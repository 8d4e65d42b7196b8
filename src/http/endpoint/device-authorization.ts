/** POST /oauth/device-authorization: RFC 8628 §3.1; interface DAUTH-*. */
import { parseDeviceAuthorization } from "../../core/device-authorization.ts"
import { deviceAuthorize } from "../../service/device-authorize.ts"
import { sendJson, sendRefusal } from "../respond.ts"
import { authenticatedFirst, callOf, lookedUp } from "./caller.ts"
import { addressOf, type Endpoint } from "./endpoint.ts"

export const deviceAuthorization: Endpoint = async (site, request, reply) => {
  const call = callOf(request)
  if (!call.ok) return sendRefusal(site, request, reply, call.refusal)
  const { form, caller } = call.value
  const asked = parseDeviceAuthorization(form)
  if (!asked.ok)
    return sendRefusal(site, request, reply, await authenticatedFirst(site, request, caller, asked.refusal))
  const answer = lookedUp(
    request,
    await deviceAuthorize(site.latchkey, caller, asked.value, addressOf(site, request)),
  )
  return answer.ok ? sendJson(reply, 200, answer.value) : sendRefusal(site, request, reply, answer.refusal)
}
