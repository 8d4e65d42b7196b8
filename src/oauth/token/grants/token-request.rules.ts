/** Parses the requests of the token endpoint. RFC 6749 §4.1.3 and §6; interface TOKEN-1, TOKEN-3. */
import { allValues, type Form, required } from "../../../kernel/form.ts"
import { type Result, err, ok } from "../../../kernel/result.ts"
import { parseAudience } from "../../authorize/authorization-request.rules.ts"
import type { RequestedAudience } from "../../credential/audience.rules.ts"
import type { Refusal } from "../../../model/refusals/refusal.rules.ts"
import { parseScope } from "../../../model/permissions/scope.rules.ts"

export type CodeRequest = {
  readonly code: string
  /** The redirect URI and the verifier, or the error. The code is looked up in spite of an error: CODE-4. */
  readonly proof: Result<CodeProof, Refusal>
  /** The member is missing if the request names no resource. */
  readonly audience?: RequestedAudience | undefined
}

export type CodeProof = {
  /** The verifier is not checked here. A malformed verifier is refused like a wrong one, after the code is found. */
  readonly codeVerifier: string
  readonly redirectUri: string
}

export type RefreshRequest = {
  readonly refreshToken: string
  /** The names in `scope`, null if omitted, or an error to report only after the token is found: AUTH-10. */
  readonly scope: Result<readonly string[] | null, Refusal>
  /** The member is missing if the request names no resource. */
  readonly audience?: RequestedAudience | undefined
}

/** Returns the row of the requested grant type. Refuses: parameterMissing, grantTypeUnsupported. */
export function grantTypeOf<T>(types: ReadonlyMap<string, T>, form: Form): Result<T, Refusal> {
  const named = required(form, "grant_type")
  if (!named.ok) return named
  const found = types.get(named.value)
  return found === undefined ? err({ reason: "grantTypeUnsupported" }) : ok(found)
}

/** Returns the grant type of a malformed request. Returns null if it is unknown or unreadable. */
export function flawedGrantTypeOf<T>(types: ReadonlyMap<string, T>, form: Form): T | null {
  return types.get(readableValue(form, "grant_type") ?? "") ?? null
}

/** Reads `code` and the values that prove it. Refuses: parameterMissing (`code`). */
export function parseCodeRequest(form: Form): Result<CodeRequest, Refusal> {
  const code = required(form, "code")
  return code.ok ? ok({ code: code.value, proof: parseCodeProof(form), ...parseAudience(form) }) : code
}

function parseCodeProof(form: Form): Result<CodeProof, Refusal> {
  const redirectUri = required(form, "redirect_uri")
  if (!redirectUri.ok) return redirectUri
  const codeVerifier = required(form, "code_verifier")
  if (!codeVerifier.ok) return codeVerifier
  return ok({ codeVerifier: codeVerifier.value, redirectUri: redirectUri.value })
}

/** Reads the code of a malformed request. Returns null if it is unreadable. */
export function parseFlawedCodeRequest(form: Form, flaw: Result<never, Refusal>): CodeRequest | null {
  const code = readableValue(form, "code")
  return code === null ? null : { code, proof: flaw }
}

/** Reads the refresh token of a malformed request. Returns null if it is unreadable. */
export function parseFlawedRefreshRequest(form: Form, flaw: Result<never, Refusal>): RefreshRequest | null {
  const refreshToken = readableValue(form, "refresh_token")
  return refreshToken === null ? null : { refreshToken, scope: flaw }
}

/** Returns the value of a parameter. Returns null if the parameter is missing or has different values. */
function readableValue(form: Form, name: string): string | null {
  const [value, ...more] = allValues(form, name)
  return value === undefined || more.some((other) => other !== value) ? null : value
}

export function parseRefreshRequest(form: Form): Result<RefreshRequest, Refusal> {
  const refreshToken = required(form, "refresh_token")
  if (!refreshToken.ok) return refreshToken
  return ok({
    refreshToken: refreshToken.value,
    scope: parseScope(form.values.get("scope")),
    ...parseAudience(form),
  })
}
