/** POST /oauth/device-authorization: RFC 8628 §3.1; interface DAUTH-*. */
import { parseDeviceAuthorization, withDeviceFlow } from "./device-authorization.rules.ts"
import { deviceAuthorize } from "./authorize-device.ts"
import { sendJson, sendRefusal } from "../../platform/http/respond.ts"
import { authenticatedFirst, callOf, lookedUp, proven } from "../clients/client-request.ts"
import { resolveStoredDocument } from "../clients/resolve-document.ts"
import { addressOf, type Endpoint } from "../../platform/http/endpoint.ts"

export const deviceAuthorization: Endpoint = async (context, request, reply) => {
  const call = callOf(request)
  if (!call.ok) return sendRefusal(context, request, reply, call.error)
  const { form, caller: named } = call.value
  // A document may have new keys, so it is judged before an assertion. The request may come from any stranger, as an
  // authorization request may.
  const { clientId } = named.presented
  const document = await resolveStoredDocument(context.services, clientId, { cause: "visitor" })
  if (!document.ok) {
    lookedUp(request, document)
    return sendRefusal(context, request, reply, document.error)
  }
  const authenticated = await proven(context, request, named)
  if (!authenticated.ok) return sendRefusal(context, request, reply, authenticated.error)
  const caller = authenticated.value
  const parsed = parseDeviceAuthorization(form)
  if (!parsed.ok)
    return sendRefusal(
      context,
      request,
      reply,
      await authenticatedFirst(context, request, caller, parsed.error, withDeviceFlow),
    )
  const answer = lookedUp(
    request,
    await deviceAuthorize(context.services, caller, parsed.value, addressOf(context, request)),
  )
  return answer.ok ? sendJson(reply, 200, answer.value) : sendRefusal(context, request, reply, answer.error)
}
