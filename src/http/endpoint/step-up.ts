/** POST /oauth/step-up: STEP-1. Behind an access token, like a protected address; errors in the shape of RFC 6749. */
import { parseForm } from "../../core/form.ts"
import { parseStepUpReason } from "../../core/step-up.ts"
import { openStepUp } from "../../service/step-up.ts"
import { bearerChallenge, bearerTokenOf } from "../api/protected.ts"
import { formOf } from "../request.ts"
import { sendJson, sendRefusal } from "../respond.ts"
import { addressOf, type Endpoint } from "./endpoint.ts"

export const stepUp: Endpoint = async (site, request, reply) => {
  const text = bearerTokenOf(request)
  if (text === null) return bearerChallenge(site, request, reply, { reason: "accessTokenMissing" })
  // The body is optional, and a client library that posts nothing at all names no content type.
  const isEmpty = request.body === undefined || request.body === ""
  const form = isEmpty ? parseForm("") : formOf(request)
  const reason = form === null ? null : "ok" in form ? form : parseStepUpReason(form)
  if (reason === null) throw new Error("an empty form is a form")
  const read = "ok" in reason && reason.ok && typeof reason.value === "object" && reason.value !== null ? parseStepUpReason(reason.value) : reason
  if (!read.ok) return sendRefusal(site, request, reply, read.refusal)
  const answer = await openStepUp(site.latchkey, text, read.value as string | null, addressOf(site, request))
  if (answer.ok) return sendJson(reply, 200, answer.value)
  return answer.refusal.reason === "accessTokenInvalid"
    ? bearerChallenge(site, request, reply, answer.refusal)
    : sendRefusal(site, request, reply, answer.refusal)
}
