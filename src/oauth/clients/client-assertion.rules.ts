/**
 * `private_key_jwt`: RFC 7521 §4.2, RFC 7523 §3 and its successor draft; interface KEY-4. The checks run in this order:
 *
 * 1. `parseAssertion` checks size, type, compact form, header, issuer and subject.
 * 2. The client is loaded. Its registered method decides (`client-authentication.rules.ts`).
 * 3. `chooseKey` checks the algorithm and chooses the key. `prove-assertion.ts` checks the signature.
 * 4. `judgeClaims` checks audience, times and `jti`.
 * 5. The change of the request marks the assertion as used (`spent-assertion.rules.ts`).
 */
import type { ClientId } from "../../kernel/ids.ts"
import { type JsonObject, parseJson } from "../../kernel/json.ts"
import {
  ASSERTION_LENGTH_AT_MOST,
  ASSERTION_SECONDS_AT_MOST,
  ASSERTION_SKEW_SECONDS,
} from "../../kernel/limits.ts"
import { type Result, err, ok } from "../../kernel/result.ts"
import { SIGNING_ALGORITHMS, type SigningAlgorithm } from "../../model/clients/client.rules.ts"
import { algorithmsOf, type PublicKey } from "../../model/clients/key-set.rules.ts"
import { endpoints } from "../../model/refusals/endpoints.rules.ts"
import type { Refusal } from "../../model/refusals/refusal.rules.ts"
import { parseClientId } from "./resolve.rules.ts"

export const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

/** A parsed assertion. Its content is not verified. */
export type Assertion = {
  readonly jwt: string
  readonly header: JsonObject
  readonly claims: JsonObject
  /** The issuer, which is also the subject. */
  readonly clientId: ClientId
}

/** Decodes base64url without padding to UTF-8 text. Returns null for malformed text. */
export type DecodeBase64Url = (text: string) => string | null

/**
 * Parses an assertion. `namedId` is the parameter `client_id`. If it was sent, it must equal the issuer. RFC 7521 §4.2.
 * Refuses: assertionTooLong, assertionTypeUnsupported, assertionMalformed, assertionIssuerWrong, clientUnknown.
 */
export function parseAssertion(
  jwt: string | undefined,
  type: string | undefined,
  namedId: string | undefined,
  decode: DecodeBase64Url,
): Result<Assertion, Refusal> {
  if (jwt !== undefined && jwt.length > ASSERTION_LENGTH_AT_MOST) return err({ reason: "assertionTooLong" })
  if (type !== ASSERTION_TYPE) return err({ reason: "assertionTypeUnsupported" })
  const parts = COMPACT.exec(jwt ?? "")
  const header = objectIn(parts?.[1], decode)
  const claims = objectIn(parts?.[2], decode)
  if (jwt === undefined || header === null || claims === null || !isPlainHeader(header))
    return err({ reason: "assertionMalformed" })
  const issuer = claims.get("iss")
  if (typeof issuer !== "string" || claims.get("sub") !== issuer || (namedId ?? issuer) !== issuer)
    return err({ reason: "assertionIssuerWrong" })
  const clientId = parseClientId(issuer)
  return clientId === null ? err({ reason: "clientUnknown" }) : ok({ jwt, header, claims, clientId })
}

/** The compact form of a JWS: RFC 7515 §7.1. */
const COMPACT = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.[A-Za-z0-9_-]+$/

/** Without a slash it stands for `application/…` (RFC 7515 §4.1.9). A JWT for another purpose has another type. */
const TYPES = /^(?:application\/)?(?:jwt|client-authentication\+jwt)$/i

function objectIn(part: string | undefined, decode: DecodeBase64Url): JsonObject | null {
  const text = part === undefined ? null : decode(part)
  const value = text === null ? undefined : parseJson(text)
  return value instanceof Map ? value : null
}

/** An unknown critical extension must be refused (RFC 7515 §4.1.11), and this service knows no extension. */
function isPlainHeader(header: JsonObject): boolean {
  const type = header.get("typ")
  return !header.has("crit") && (type === undefined || (typeof type === "string" && TYPES.test(type)))
}

export type ChosenKey = { readonly key: PublicKey; readonly algorithm: SigningAlgorithm }

/**
 * Returns the algorithm of the assertion and the only key that can have signed it. The registration lists both, and the
 * header only selects from the list. RFC 8725 §3.1, §3.2. `registered` is the client's only algorithm, or null.
 * Refuses: assertionAlgorithmRefused, assertionKeyUnknown.
 */
export function chooseKey(
  { header }: Assertion,
  keys: readonly PublicKey[],
  registered: SigningAlgorithm | null,
): Result<ChosenKey, Refusal> {
  const algorithm = SIGNING_ALGORITHMS.find((known) => known === header.get("alg"))
  if (algorithm === undefined || (registered !== null && registered !== algorithm))
    return err({ reason: "assertionAlgorithmRefused" })
  const kid = header.get("kid")
  const named = keys.filter((key) => kid === undefined || key.kid === kid)
  const [key, ...more] = named.filter((one) => algorithmsOf(one).includes(algorithm))
  if (key !== undefined && more.length === 0) return ok({ key, algorithm })
  return err({ reason: named.length === 1 ? "assertionAlgorithmRefused" : "assertionKeyUnknown" })
}

type JudgedClaims = {
  readonly jti: string
  /** After this time, every clock within the tolerance refuses the assertion. */
  readonly overAt: number
}

/**
 * Checks the claims of an assertion with a valid signature. Divergence: D-19, the token endpoint is also an audience.
 * Refuses: assertionAudienceWrong, assertionExpired, assertionNotYetValid, assertionLifetimeTooLong, assertionIdMissing.
 */
export function judgeClaims(
  { claims }: Assertion,
  issuer: string,
  now: number,
): Result<JudgedClaims, Refusal> {
  const audience = singleText(claims.get("aud"))
  if (audience !== issuer && audience !== issuer + endpoints.token_endpoint)
    return err({ reason: "assertionAudienceWrong" })
  const [expiresAt, notBefore, issuedAt] = ["exp", "nbf", "iat"].map((name) => claims.get(name))
  if (!isTime(expiresAt) || expiresAt + ASSERTION_SKEW_SECONDS <= now)
    return err({ reason: "assertionExpired" })
  if (!isPast(notBefore, now) || !isPast(issuedAt, now)) return err({ reason: "assertionNotYetValid" })
  const begunAt = isTime(issuedAt) ? issuedAt : now + ASSERTION_SKEW_SECONDS
  const longest = Math.min(begunAt, now + ASSERTION_SKEW_SECONDS) + ASSERTION_SECONDS_AT_MOST
  if (expiresAt > longest) return err({ reason: "assertionLifetimeTooLong" })
  const jti = claims.get("jti")
  if (typeof jti !== "string" || jti === "") return err({ reason: "assertionIdMissing" })
  return ok({ jti, overAt: Math.ceil(expiresAt) + ASSERTION_SKEW_SECONDS })
}

/** Returns a single text. `value` may be the text itself or a list with one text. Returns null for any other value. */
function singleText(value: unknown): string | null {
  const only: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value
  return typeof only === "string" ? only : null
}

function isTime(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value)
}

/** Whether a time is missing or not in the future. A value of another type fails the check. */
function isPast(value: unknown, now: number): boolean {
  return value === undefined || (isTime(value) && value <= now + ASSERTION_SKEW_SECONDS)
}
