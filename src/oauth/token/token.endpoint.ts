/**
 * POST /oauth/token: RFC 6749 §3.2; interface TOKEN-*.
 *
 * The checks run in this order: rate limit, method, content type, size, duplicates, client authentication, parameters,
 * the rule of the grant type. A grant type may first find the client. The server checks rate limit, method and size before this handler runs.
 */
import { flawedGrantTypeOf, grantTypeOf } from "./grants/token-request.rules.ts"
import { grantTypes } from "./grant-types.ts"
import type { Elevated } from "../device/device-poll.rules.ts"
import type { Refusal } from "../../model/refusals/refusal.rules.ts"
import { type Result, err, ok } from "../../kernel/result.ts"
import type { ServiceTokenResponse, TokenResponse } from "../credential/token-response.rules.ts"
import { sendJson, sendRefusal } from "../../platform/http/respond.ts"
import type { HttpRequest } from "../../platform/http/connection/message.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"
import { loadOnce } from "../../platform/http/lazy-module.ts"
import { formOf, readableFormOf } from "../../platform/http/request.ts"
import { authenticatedFirst, presentedCaller, lookedUp, proven } from "../clients/client-request.ts"
import type { Services } from "../../platform/services/services.ts"
import { signJwt } from "../jwt/access-token.ts"
import type { UnsignedJwt } from "../jwt/access-token.rules.ts"
import { addressOf, type Endpoint } from "../../platform/http/endpoint.ts"

export const token: Endpoint = (context, request, reply) =>
  answerTo(context, request).then((answer) =>
    answer.ok ? sendJson(reply, 200, answer.value) : sendRefusal(context, request, reply, answer.error),
  )

async function answerTo(
  context: HttpContext,
  request: HttpRequest,
): Promise<Result<TokenResponse | ServiceTokenResponse | Elevated, Refusal>> {
  const form = formOf(request)
  if (!form.ok) {
    await judgeFlawed(context, request, form.error)
    return form
  }
  const named = presentedCaller(request, form.value)
  if (!named.ok) return named
  const grantType = grantTypeOf(grantTypes, form.value)
  const address = addressOf(context, request)
  if (grantType.ok && grantType.value.findClient !== undefined) {
    const { clientId } = named.value.presented
    const found = await grantType.value.findClient(context.services, clientId, address)
    if (!found.ok) return lookedUp(request, found)
  }
  const caller =
    named.value.presented.assertion === null ? named : await proven(context, request, named.value)
  if (!caller.ok) return caller
  if (!grantType.ok) return err(await authenticatedFirst(context, request, caller.value, grantType.error))
  const { parse, mayUse, redeem } = grantType.value
  const grantRequest = parse(form.value)
  if (!grantRequest.ok) {
    const refusal = grantRequest.error
    return err(await authenticatedFirst(context, request, caller.value, refusal, mayUse?.(context.services)))
  }
  const answer = lookedUp(request, await redeem(context.services, caller.value, grantRequest.value, address))
  if (!answer.ok || "elevated" in answer.value) return answer
  let response = answer.value
  const { unsigned } = response
  if (unsigned !== undefined) response = await withJwt(context.services, response, unsigned)
  if (!("refresh_token" in response) || !OPENID_SCOPE.test(response.scope)) return ok(response)
  const { withIdToken } = await openid()
  const isFirst = form.value.values.get("grant_type") === "authorization_code"
  return ok(await withIdToken(context.services, response, isFirst, unsigned?.claims.groups))
}

async function withJwt<R>(services: Services, response: R, jwt: UnsignedJwt): Promise<R> {
  return { ...response, access_token: await signJwt(services, jwt), unsigned: undefined }
}

const OPENID_SCOPE = /(?:^| )openid(?: |$)/
const openid = loadOnce(() => import("../openid/id-token.ts"))

/** The response is always `flaw`. A replay or a reuse still ends its credential (CODE-4, AUTH-10). */
async function judgeFlawed(context: HttpContext, request: HttpRequest, flaw: Refusal): Promise<void> {
  const form = readableFormOf(request)
  const named = form === null ? null : presentedCaller(request, form)
  if (form === null || named?.ok !== true) return
  const caller = await proven(context, request, named.value)
  if (!caller.ok) return
  const grantType = flawedGrantTypeOf(grantTypes, form)
  const grantRequest = grantType?.parseFlawed?.(form, err(flaw)) ?? null
  if (grantType === null || grantRequest === null)
    await authenticatedFirst(context, request, caller.value, flaw)
  else
    lookedUp(
      request,
      await grantType.redeem(context.services, caller.value, grantRequest, addressOf(context, request)),
    )
}
