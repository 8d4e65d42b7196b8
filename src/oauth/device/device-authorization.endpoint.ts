/** POST /oauth/device-authorization: RFC 8628 §3.1; interface DAUTH-*. */
import { parseDeviceAuthorization } from "./device-authorization.rules.ts"
import { deviceAuthorize } from "./authorize-device.ts"
import { sendJson, sendRefusal } from "../../http/respond.ts"
import { authenticatedFirst, callOf, lookedUp } from "../clients/client-request.ts"
import { addressOf, type Endpoint } from "../../http/endpoint.ts"

export const deviceAuthorization: Endpoint = async (site, request, reply) => {
  const call = callOf(request)
  if (!call.ok) return sendRefusal(site, request, reply, call.refusal)
  const { form, caller } = call.value
  const asked = parseDeviceAuthorization(form)
  if (!asked.ok)
    return sendRefusal(site, request, reply, await authenticatedFirst(site, request, caller, asked.refusal))
  const answer = lookedUp(
    request,
    await deviceAuthorize(site.services, caller, asked.value, addressOf(site, request)),
  )
  return answer.ok ? sendJson(reply, 200, answer.value) : sendRefusal(site, request, reply, answer.refusal)
}
