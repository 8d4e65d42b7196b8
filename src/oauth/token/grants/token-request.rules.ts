/** What the token endpoint is asked for, one parser a grant type. RFC 6749 §4.1.3 and §6; interface TOKEN-1, TOKEN-3. */
import { allValues, type Form, required } from "../../../kernel/form.ts"
import { type Result, err, ok } from "../../../kernel/result.ts"
import type { Refusal } from "../../refusal.rules.ts"
import { parseScope } from "../../../permissions/scope.rules.ts"

export type CodeRequest = {
  readonly grant: "authorization_code"
  readonly code: string
  /** What the exchange must prove. A malformed request has none, and still has its code looked up: CODE-4. */
  readonly proof: Result<CodeProof, Refusal>
}

export type CodeProof = {
  /** As it came: a verifier of the wrong shape is a wrong verifier, which is `invalid_grant` once the code is known. */
  readonly codeVerifier: string
  readonly redirectUri: string
}

export type RefreshRequest = {
  readonly grant: "refresh_token"
  readonly refreshToken: string
  /** The names in `scope`; null where it is omitted. A malformed one is refused once the token is known: AUTH-10. */
  readonly asked: Result<readonly string[] | null, Refusal>
}

export type DeviceCodeRequest = {
  readonly grant: "urn:ietf:params:oauth:grant-type:device_code"
  readonly deviceCode: string
}

export type TokenRequest = CodeRequest | RefreshRequest | DeviceCodeRequest

/** The grant types that are served; a client chooses the key, so this is a Map. */
const parsers: ReadonlyMap<string, (form: Form) => Result<TokenRequest, Refusal>> = new Map<
  TokenRequest["grant"],
  (form: Form) => Result<TokenRequest, Refusal>
>([
  ["authorization_code", parseCodeRequest],
  ["refresh_token", parseRefreshRequest],
  ["urn:ietf:params:oauth:grant-type:device_code", parseDeviceCodeRequest],
])

/** What the metadata lists as `grant_types_supported`. */
export const GRANT_TYPES: readonly string[] = [...parsers.keys()]

/** Of a form without repeated parameters. Refuses: parameterMissing, grantTypeUnsupported. */
export function parseTokenRequest(form: Form): Result<TokenRequest, Refusal> {
  const grantType = required(form, "grant_type")
  if (!grantType.ok) return grantType
  const parse = parsers.get(grantType.value)
  return parse === undefined ? err({ reason: "grantTypeUnsupported" }) : parse(form)
}

function parseCodeRequest(form: Form): Result<CodeRequest, Refusal> {
  const code = required(form, "code")
  return code.ok ? ok({ grant: "authorization_code", code: code.value, proof: parseCodeProof(form) }) : code
}

function parseCodeProof(form: Form): Result<CodeProof, Refusal> {
  const redirectUri = required(form, "redirect_uri")
  if (!redirectUri.ok) return redirectUri
  const codeVerifier = required(form, "code_verifier")
  if (!codeVerifier.ok) return codeVerifier
  return ok({ codeVerifier: codeVerifier.value, redirectUri: redirectUri.value })
}

/**
 * What a flawed request (not well-formed, or with a repeated parameter) presents: a code or a refresh token that can be
 * read. It is refused for its `flaw` whatever that is; a replay and a reuse still end their credential (CODE-4, AUTH-10).
 * Null where there is nothing to look at.
 */
export function parseFlawedTokenRequest(form: Form, flaw: Result<never, Refusal>): TokenRequest | null {
  switch (readableValue(form, "grant_type")) {
    case "authorization_code": {
      const code = readableValue(form, "code")
      return code === null ? null : { grant: "authorization_code", code, proof: flaw }
    }
    case "refresh_token": {
      const refreshToken = readableValue(form, "refresh_token")
      return refreshToken === null ? null : { grant: "refresh_token", refreshToken, asked: flaw }
    }
    default:
      return null
  }
}

/** The value of a parameter; null where it has none, or several that differ. */
function readableValue(form: Form, name: string): string | null {
  const [value, ...more] = allValues(form, name)
  return value === undefined || more.some((other) => other !== value) ? null : value
}

function parseRefreshRequest(form: Form): Result<RefreshRequest, Refusal> {
  const refreshToken = required(form, "refresh_token")
  if (!refreshToken.ok) return refreshToken
  return ok({
    grant: "refresh_token",
    refreshToken: refreshToken.value,
    asked: parseScope(form.values.get("scope")),
  })
}

function parseDeviceCodeRequest(form: Form): Result<DeviceCodeRequest, Refusal> {
  const deviceCode = required(form, "device_code")
  if (!deviceCode.ok) return deviceCode
  return ok({ grant: "urn:ietf:params:oauth:grant-type:device_code", deviceCode: deviceCode.value })
}
