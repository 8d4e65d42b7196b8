/** POST /oauth/step-up: STEP-1. The app authenticates with its access token. Errors have the form of RFC 6749 §5.2. */
import { type Form, parseForm } from "../../kernel/form.ts"
import type { Refusal } from "../../model/refusals/refusal.rules.ts"
import { type Result, err, ok } from "../../kernel/result.ts"
import { parseStepUpReason } from "./step-up.rules.ts"
import { checkBearer } from "../credential/bearer.ts"
import { openStepUp } from "./step-up.ts"
import { sendBearerError } from "../../platform/http/api-error.ts"
import { bearerTokenOf } from "../credential/protected.ts"
import type { HttpRequest } from "../../platform/http/connection/message.ts"
import { formOf } from "../../platform/http/request.ts"
import { sendJson, sendRefusal } from "../../platform/http/respond.ts"
import { addressOf, type Endpoint } from "../../platform/http/endpoint.ts"

export const stepUp: Endpoint = async (context, request, reply) => {
  const text = bearerTokenOf(request)
  if (text === null) return sendBearerError(context, request, reply, { reason: "accessTokenMissing" }, [])
  const form = optionalFormOf(request)
  const reason = form.ok ? parseStepUpReason(form.value) : form
  if (!reason.ok) {
    // Only an app with a valid token learns what is wrong with its parameters.
    const bearer = await checkBearer(context.services, text)
    return bearer.ok
      ? sendRefusal(context, request, reply, reason.error)
      : sendBearerError(context, request, reply, bearer.error, [])
  }
  const answer = await openStepUp(context.services, text, reason.value, addressOf(context, request))
  if (answer.ok) return sendJson(reply, 200, answer.value)
  const { error: refusal } = answer
  // The log and the statistics of the app need the client_id. Only a refused request needs this read.
  const bearer = await checkBearer(context.services, text)
  if (bearer.ok) request.knownClientId = bearer.value.client.clientId
  return refusal.reason === "accessTokenInvalid"
    ? sendBearerError(context, request, reply, refusal, [])
    : sendRefusal(context, request, reply, refusal)
}

/** Reads the form. An empty body stands for a step-up without a reason. */
function optionalFormOf(request: HttpRequest): Result<Form, Refusal> {
  if (request.body !== undefined && request.body !== "") return formOf(request)
  const empty = parseForm("")
  return empty === null ? err({ reason: "bodyNotForm" }) : ok(empty)
}
