/**
 * A JWT that another party signed: an app, a sign-in provider, a product, an identity provider or a platform. Interface
 * STATE-1. Every caller takes these steps in this order, and adds only the claims that are its own:
 *
 * 1. `parseStatement` checks size, compact form and header. The caller finds out whose statement it is.
 * 2. `proveStatement` finds the key and checks the signature.
 * 3. `judgeClaims` checks issuer, audience, times and `jti`.
 * 4. The change of the request marks a statement that counts once as used (`spent.rules.ts`).
 */
import { type JsonObject, parseJson } from "../../kernel/json.ts"
import { type Result, err, ok } from "../../kernel/result.ts"

/** A parsed statement. Before `proveStatement`, nothing in it is verified. */
export type Statement = { readonly jwt: string; readonly header: JsonObject; readonly claims: JsonObject }

/** Why a statement does not count. Each caller has its own refusal or page for it. */
export type StatementFault =
  | "tooLong"
  | "malformed"
  | "typeWrong"
  | "algorithmRefused"
  | "keyUnknown"
  /** The issuer does not publish its keys right now, and no copy of the last week is kept. */
  | "keysUnavailable"
  | "signatureWrong"
  | "issuerWrong"
  | "audienceWrong"
  | "expired"
  | "notYetValid"
  | "lifetimeTooLong"
  | "idMissing"
  | "replayed"

/** Decodes base64url without padding to UTF-8 text. Returns null for malformed text. */
export type DecodeBase64Url = (text: string) => string | null

export type StatementForm = {
  /**
   * The values of `typ` in lower case and without `application/`, and null if it may be missing. A JWT for another
   * purpose has another type: RFC 8725 §3.11. "any" suits only a JWT that the issuer itself handed over.
   */
  readonly types: readonly (string | null)[] | "any"
  readonly lengthAtMost: number
}

/** Refuses: tooLong, malformed, typeWrong. */
export function parseStatement(
  jwt: string | undefined,
  decode: DecodeBase64Url,
  { types, lengthAtMost }: StatementForm,
): Result<Statement, StatementFault> {
  if (jwt !== undefined && jwt.length > lengthAtMost) return err("tooLong")
  const parts = COMPACT.exec(jwt ?? "")
  const header = objectIn(parts?.[1], decode)
  const claims = objectIn(parts?.[2], decode)
  // An unknown critical extension must be refused (RFC 7515 §4.1.11), and this service knows no extension.
  if (jwt === undefined || header === null || claims === null || header.has("crit")) return err("malformed")
  return types === "any" || types.includes(typeOf(header)) ? ok({ jwt, header, claims }) : err("typeWrong")
}

/** The compact form of a JWS: RFC 7515 §7.1. */
const COMPACT = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.[A-Za-z0-9_-]+$/

function objectIn(part: string | undefined, decode: DecodeBase64Url): JsonObject | null {
  const text = part === undefined ? null : decode(part)
  const value = text === null ? undefined : parseJson(text)
  return value instanceof Map ? value : null
}

/** Without a slash, a type stands for `application/…`: RFC 7515 §4.1.9. No statement has the type "". */
function typeOf(header: JsonObject): string | null {
  const type = header.get("typ")
  if (type === undefined) return null
  return typeof type === "string" ? type.toLowerCase().replace(/^application\//, "") : ""
}
