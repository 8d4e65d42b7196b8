/**
 * POST /oauth/token: RFC 6749 §3.2; interface TOKEN-*.
 *
 * budget → method, content type, size, duplicates → client authentication → parameters → the grant's own rule.
 * Budget, method and size are settled by the route (`routes.ts`) before the body is read.
 */
import { parseTokenRequest, type TokenRequest } from "../../core/token-request.ts"
import type { Elevated } from "../../core/device-poll.ts"
import type { Result } from "../../core/result.ts"
import type { TokenResponse } from "../../core/token-response.ts"
import { devicePoll } from "../../service/device-poll.ts"
import type { Caller } from "../../service/client.ts"
import { exchangeCode } from "../../service/exchange-code.ts"
import { refresh } from "../../service/refresh.ts"
import { sendJson, sendRefusal } from "../respond.ts"
import type { Site } from "../site.ts"
import { authenticatedFirst, callOf } from "./caller.ts"
import { addressOf, type Endpoint } from "./endpoint.ts"

export const token: Endpoint = async (site, request, reply) => {
  const call = callOf(request)
  if (!call.ok) return sendRefusal(site, request, reply, call.refusal)
  const { form, caller } = call.value
  const asked = parseTokenRequest(form)
  if (!asked.ok)
    return sendRefusal(site, request, reply, await authenticatedFirst(site, caller, asked.refusal))
  const answer = await grant(site, caller, asked.value, addressOf(site, request))
  return answer.ok ? sendJson(reply, 200, answer.value) : sendRefusal(site, request, reply, answer.refusal)
}

function grant(
  { latchkey }: Site,
  caller: Caller,
  request: TokenRequest,
  address: string,
): Promise<Result<TokenResponse | Elevated>> {
  switch (request.grant) {
    case "authorization_code":
      return exchangeCode(latchkey, caller, request, address)
    case "refresh_token":
      return refresh(latchkey, caller, request, address)
    case "urn:ietf:params:oauth:grant-type:device_code":
      return devicePoll(latchkey, caller, request, address)
  }
}
