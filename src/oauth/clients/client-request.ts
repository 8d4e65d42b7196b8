/** What the token, revocation and introspection endpoints share: the form, then client authentication. */
import { parseClientAuthentication } from "./client-authentication.rules.ts"
import { type Form, required } from "../../kernel/form.ts"
import type { Refusal } from "../refusal.rules.ts"
import { type Result, err, ok } from "../../kernel/result.ts"
import { authenticateCaller, caller, type Caller } from "./authenticate-client.ts"
import type { HttpRequest } from "../../http/connection/message.ts"
import { decodeBase64, formOf } from "../../http/request.ts"
import type { HttpContext } from "../../http/http-context.ts"

/** Refuses: bodyNotForm, parameterRepeated, and what `parseClientAuthentication` refuses. */
export function callOf(
  request: HttpRequest,
): Result<{ readonly form: Form; readonly caller: Caller }, Refusal> {
  const form = formOf(request)
  if (!form.ok) return form
  const who = callerOf(request, form.value)
  return who.ok ? ok({ form: form.value, caller: who.value }) : who
}

/** Refuses: what `parseClientAuthentication` refuses. */
export function callerOf(request: HttpRequest, form: Form): Result<Caller, Refusal> {
  const presented = parseClientAuthentication(request.headers.authorization, form, decodeBase64)
  if (!presented.ok) return presented
  request.presentedClientId = presented.value.clientId
  return ok(caller(presented.value))
}

/**
 * For endpoints that take one token: the caller and the value of `token`.
 * Refuses: what `callOf` refuses, then what authentication does, then parameterMissing.
 */
export async function tokenCallOf(
  context: HttpContext,
  request: HttpRequest,
): Promise<Result<{ readonly caller: Caller; readonly text: string }, Refusal>> {
  const call = callOf(request)
  if (!call.ok) return call
  const { form, caller: who } = call.value
  const text = required(form, "token")
  return text.ok
    ? ok({ caller: who, text: text.value })
    : err(await authenticatedFirst(context, request, who, text.error))
}

/** A failed authentication comes first. Only an authenticated client learns what is wrong with its parameters. */
export async function authenticatedFirst(
  { services }: HttpContext,
  request: HttpRequest,
  who: Caller,
  otherwise: Refusal,
): Promise<Refusal> {
  const known = lookedUp(request, await authenticateCaller(services, who))
  return known.ok ? otherwise : known.error
}

/** Notes that the client exists, which every answer except `clientUnknown` implies. */
export function lookedUp<A>(request: HttpRequest, answer: Result<A, Refusal>): Result<A, Refusal> {
  if (answer.ok || answer.error.reason !== "clientUnknown") request.knownClientId = request.presentedClientId
  return answer
}
