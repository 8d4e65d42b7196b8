/**
 * POST /oauth/token: RFC 6749 §3.2; interface TOKEN-*.
 *
 * budget → method, content type, size, duplicates → client authentication → parameters → the grant's own rule.
 * Budget, method and size are settled by the route (`routes.ts`) before the body is read.
 */
import {
  parseFlawedTokenRequest,
  parseTokenRequest,
  type TokenRequest,
} from "./grants/token-request.rules.ts"
import type { Elevated } from "../device/device-poll.rules.ts"
import type { Refusal } from "../refusal.rules.ts"
import { type Result, err } from "../../kernel/result.ts"
import type { TokenResponse } from "../credential/token-response.rules.ts"
import { devicePoll } from "../device/poll-device.ts"
import type { Caller } from "../clients/authenticate-client.ts"
import { exchangeCode } from "./grants/exchange-code.ts"
import { refresh } from "./grants/refresh.ts"
import { sendJson, sendRefusal } from "../../http/respond.ts"
import type { HttpRequest } from "../../http/connection/message.ts"
import type { HttpContext } from "../../http/http-context.ts"
import { formOf, readableFormOf } from "../../http/request.ts"
import { authenticatedFirst, callerOf, lookedUp } from "../clients/client-request.ts"
import { addressOf, type Endpoint } from "../../http/endpoint.ts"

export const token: Endpoint = async (context, request, reply) => {
  const answer = await answerTo(context, request)
  return answer.ok ? sendJson(reply, 200, answer.value) : sendRefusal(context, request, reply, answer.error)
}

async function answerTo(
  context: HttpContext,
  request: HttpRequest,
): Promise<Result<TokenResponse | Elevated, Refusal>> {
  const form = formOf(request)
  if (!form.ok) {
    await judgeFlawed(context, request, form.error)
    return form
  }
  const caller = callerOf(request, form.value)
  if (!caller.ok) return caller
  const asked = parseTokenRequest(form.value)
  return asked.ok
    ? lookedUp(request, await grant(context, caller.value, asked.value, addressOf(context, request)))
    : err(await authenticatedFirst(context, request, caller.value, asked.error))
}

/** The answer is the flaw in any case. What a replay or a reuse in such a request ends is stored before it (CODE-4, AUTH-10). */
async function judgeFlawed(context: HttpContext, request: HttpRequest, flaw: Refusal): Promise<void> {
  const form = readableFormOf(request)
  const caller = form === null ? null : callerOf(request, form)
  if (form === null || caller?.ok !== true) return
  const asked = parseFlawedTokenRequest(form, err(flaw))
  if (asked === null) await authenticatedFirst(context, request, caller.value, flaw)
  else lookedUp(request, await grant(context, caller.value, asked, addressOf(context, request)))
}

function grant(
  { services }: HttpContext,
  caller: Caller,
  request: TokenRequest,
  address: string,
): Promise<Result<TokenResponse | Elevated, Refusal>> {
  switch (request.grant) {
    case "authorization_code":
      return exchangeCode(services, caller, request, address)
    case "refresh_token":
      return refresh(services, caller, request, address)
    case "urn:ietf:params:oauth:grant-type:device_code":
      return devicePoll(services, caller, request, address)
  }
}
