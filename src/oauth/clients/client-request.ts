/** Parses the form and the client credentials of a request, for endpoints that authenticate clients. */
import { parseClientAuthentication } from "./client-authentication.rules.ts"
import { type Form, required } from "../../kernel/form.ts"
import { OF_UNKNOWN_CLIENT, type Refusal } from "../../model/refusals/refusal.rules.ts"
import { type Result, err, ok } from "../../kernel/result.ts"
import { authenticateCaller, callerOf, type MayUse } from "./authenticate-client.ts"
import type { Caller } from "./client-authentication.rules.ts"
import { proveAssertion } from "./prove-assertion.ts"
import type { HttpRequest } from "../../platform/http/connection/message.ts"
import { decoders, formOf, readableFormOf } from "../../platform/http/request.ts"
import type { HttpContext } from "../../platform/http/http-context.ts"

/** `proven` later checks an assertion. Refuses: bodyNotForm, parameterRepeated, reasons of `presentedCaller`. */
export function callOf(
  request: HttpRequest,
): Result<{ readonly form: Form; readonly caller: Caller }, Refusal> {
  const form = formOf(request)
  if (!form.ok) {
    namePresented(request)
    return form
  }
  const caller = presentedCaller(request, form.value)
  return caller.ok ? ok({ form: form.value, caller: caller.value }) : caller
}

/** Reads the client_id of a form with another flaw, for the log. */
function namePresented(request: HttpRequest): void {
  const readable = readableFormOf(request)
  if (readable !== null) presentedCaller(request, readable)
}

/** Reads the client credentials. Refuses: every reason of `parseClientAuthentication`. */
export function presentedCaller(request: HttpRequest, form: Form): Result<Caller, Refusal> {
  const presented = parseClientAuthentication(request.headers.authorization, form, decoders)
  if (!presented.ok) return presented
  request.presentedClientId = presented.value.clientId
  return ok(callerOf(presented.value))
}

/** Without an assertion, the caller is returned unchanged. Refuses: every reason of `proveAssertion`. */
export async function proven(
  { services }: HttpContext,
  request: HttpRequest,
  caller: Caller,
): Promise<Result<Caller, Refusal>> {
  const { assertion } = caller.presented
  if (assertion === null) return ok(caller)
  const endpoint = request.route?.path ?? ""
  const body = typeof request.body === "string" ? request.body : ""
  return lookedUp(request, await proveAssertion(services, caller, assertion, { endpoint, body }))
}

/**
 * Reads the client credentials and the parameter `token`. Refuses: every reason of `callOf`. If `token` is missing,
 * refuses with a reason of client authentication or of `mayUse`, or with parameterMissing.
 */
export function tokenCallOf(
  context: HttpContext,
  request: HttpRequest,
  mayUse?: MayUse,
): TokenCall | Promise<TokenCall> {
  const call = callOf(request)
  if (!call.ok) return call
  const { form, caller } = call.value
  const text = required(form, "token")
  if (caller.presented.assertion === null && text.ok) return ok({ caller, text: text.value })
  return proven(context, request, caller).then(async (proof) => {
    if (!proof.ok) return proof
    if (text.ok) return ok({ caller: proof.value, text: text.value })
    return err(await authenticatedFirst(context, request, proof.value, text.error, mayUse))
  })
}

type TokenCall = Result<{ readonly caller: Caller; readonly text: string }, Refusal>

/** Returns the authentication error or `otherwise`. Only an authenticated client learns what is wrong. */
export async function authenticatedFirst(
  { services }: HttpContext,
  request: HttpRequest,
  caller: Caller,
  otherwise: Refusal,
  mayUse?: MayUse,
): Promise<Refusal> {
  const known = lookedUp(request, await authenticateCaller(services, caller, mayUse))
  return known.ok ? otherwise : known.error
}

/** Records that the client exists. An answer about a client that may not exist records nothing. */
export function lookedUp<A>(request: HttpRequest, answer: Result<A, Refusal>): Result<A, Refusal> {
  if (answer.ok || !OF_UNKNOWN_CLIENT.has(answer.error.reason))
    request.knownClientId = request.presentedClientId
  return answer
}
