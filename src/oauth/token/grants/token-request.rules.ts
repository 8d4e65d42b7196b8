/**
 * The requests of the token endpoint, one parser for each grant type. RFC 6749 §4.1.3 and §6; interface TOKEN-1,
 * TOKEN-3.
 */
import { allValues, type Form, required } from "../../../kernel/form.ts"
import { type Result, err, ok } from "../../../kernel/result.ts"
import type { Refusal } from "../../refusal.rules.ts"
import { parseScope } from "../../../permissions/scope.rules.ts"

export type CodeRequest = {
  readonly code: string
  /** What the exchange must prove. The code of a malformed request is looked up too: CODE-4. */
  readonly proof: Result<CodeProof, Refusal>
}

export type CodeProof = {
  /** Unchecked: a malformed verifier is a wrong verifier, `invalid_grant` once the code is known. */
  readonly codeVerifier: string
  readonly redirectUri: string
}

export type RefreshRequest = {
  readonly refreshToken: string
  /** The names in `scope`; null if it is omitted. A malformed one is refused once the token is known: AUTH-10. */
  readonly asked: Result<readonly string[] | null, Refusal>
}

/** The row of a request's grant type. Refuses: parameterMissing, grantTypeUnsupported. */
export function grantTypeOf<T>(types: ReadonlyMap<string, T>, form: Form): Result<T, Refusal> {
  const named = required(form, "grant_type")
  if (!named.ok) return named
  const found = types.get(named.value)
  return found === undefined ? err({ reason: "grantTypeUnsupported" }) : ok(found)
}

/** The row that a flawed request names, if it names one. */
export function flawedGrantTypeOf<T>(types: ReadonlyMap<string, T>, form: Form): T | null {
  return types.get(readableValue(form, "grant_type") ?? "") ?? null
}

/** Refuses: parameterMissing (`code`). */
export function parseCodeRequest(form: Form): Result<CodeRequest, Refusal> {
  const code = required(form, "code")
  return code.ok ? ok({ code: code.value, proof: parseCodeProof(form) }) : code
}

function parseCodeProof(form: Form): Result<CodeProof, Refusal> {
  const redirectUri = required(form, "redirect_uri")
  if (!redirectUri.ok) return redirectUri
  const codeVerifier = required(form, "code_verifier")
  if (!codeVerifier.ok) return codeVerifier
  return ok({ codeVerifier: codeVerifier.value, redirectUri: redirectUri.value })
}

/** The code of a flawed request; null if it cannot be read. */
export function parseFlawedCodeRequest(form: Form, flaw: Result<never, Refusal>): CodeRequest | null {
  const code = readableValue(form, "code")
  return code === null ? null : { code, proof: flaw }
}

/** The refresh token of a flawed request; null if it cannot be read. */
export function parseFlawedRefreshRequest(form: Form, flaw: Result<never, Refusal>): RefreshRequest | null {
  const refreshToken = readableValue(form, "refresh_token")
  return refreshToken === null ? null : { refreshToken, asked: flaw }
}

/** The value of a parameter; null if it has no value, or several that differ. */
function readableValue(form: Form, name: string): string | null {
  const [value, ...more] = allValues(form, name)
  return value === undefined || more.some((other) => other !== value) ? null : value
}

/** Refuses: parameterMissing (`refresh_token`). */
export function parseRefreshRequest(form: Form): Result<RefreshRequest, Refusal> {
  const refreshToken = required(form, "refresh_token")
  if (!refreshToken.ok) return refreshToken
  return ok({
    refreshToken: refreshToken.value,
    asked: parseScope(form.values.get("scope")),
  })
}
