/** What the token endpoint is asked for, one parser a grant type. RFC 6749 §4.1.3 and §6; interface TOKEN-1, TOKEN-3. */
import { type Form, refuseRepeated, required } from "./form.ts"
import { accept, refuse, type Result } from "./result.ts"
import { parseScope } from "./scope.ts"

export type CodeRequest = {
  readonly grant: "authorization_code"
  readonly code: string
  /** As it came: a verifier of the wrong shape is a wrong verifier, which is `invalid_grant` once the code is known. */
  readonly codeVerifier: string
  readonly redirectUri: string
}

export type RefreshRequest = {
  readonly grant: "refresh_token"
  readonly refreshToken: string
  /** The names in `scope`; null where it is omitted. */
  readonly asked: readonly string[] | null
}

export type DeviceCodeRequest = {
  readonly grant: "urn:ietf:params:oauth:grant-type:device_code"
  readonly deviceCode: string
}

export type TokenRequest = CodeRequest | RefreshRequest | DeviceCodeRequest

/** The grant types that are served; a client chooses the key, so this is a Map. */
const parsers: ReadonlyMap<string, (form: Form) => Result<TokenRequest>> = new Map<
  TokenRequest["grant"],
  (form: Form) => Result<TokenRequest>
>([
  ["authorization_code", parseCodeRequest],
  ["refresh_token", parseRefreshRequest],
  ["urn:ietf:params:oauth:grant-type:device_code", parseDeviceCodeRequest],
])

/** What the metadata lists as `grant_types_supported`. */
export const GRANT_TYPES: readonly string[] = [...parsers.keys()]

/**
 * Refuses: parameterRepeated (also of a parameter that is not known here), parameterMissing, grantTypeUnsupported,
 * scopeMalformed.
 */
export function parseTokenRequest(form: Form): Result<TokenRequest> {
  const once = refuseRepeated(form)
  if (!once.ok) return once
  const grantType = required(form, "grant_type")
  if (!grantType.ok) return grantType
  const parse = parsers.get(grantType.value)
  return parse === undefined ? refuse({ reason: "grantTypeUnsupported" }) : parse(form)
}

function parseCodeRequest(form: Form): Result<CodeRequest> {
  const code = required(form, "code")
  if (!code.ok) return code
  const redirectUri = required(form, "redirect_uri")
  if (!redirectUri.ok) return redirectUri
  const codeVerifier = required(form, "code_verifier")
  if (!codeVerifier.ok) return codeVerifier
  return accept({
    grant: "authorization_code",
    code: code.value,
    codeVerifier: codeVerifier.value,
    redirectUri: redirectUri.value,
  })
}

function parseRefreshRequest(form: Form): Result<RefreshRequest> {
  const refreshToken = required(form, "refresh_token")
  if (!refreshToken.ok) return refreshToken
  const asked = parseScope(form.values.get("scope"))
  return asked.ok
    ? accept({ grant: "refresh_token", refreshToken: refreshToken.value, asked: asked.value })
    : asked
}

function parseDeviceCodeRequest(form: Form): Result<DeviceCodeRequest> {
  const deviceCode = required(form, "device_code")
  if (!deviceCode.ok) return deviceCode
  return accept({ grant: "urn:ietf:params:oauth:grant-type:device_code", deviceCode: deviceCode.value })
}
