/** Chooses the key of a statement, and judges its claims after the signature. RFC 7523 §3, RFC 8725; interface STATE-2, STATE-4. */
import { ASSERTION_SKEW_SECONDS } from "../../kernel/limits.ts"
import { type Result, err, ok } from "../../kernel/result.ts"
import { algorithmsOf, type KeyAlgorithm, type PublicKey } from "../../model/clients/key-set.rules.ts"
import type { Statement, StatementFault } from "./statement.rules.ts"

export type ChosenKey = { readonly key: PublicKey; readonly algorithm: KeyAlgorithm }

/**
 * Returns the algorithm of the statement and the only key that can have signed it. The caller lists the algorithms, and
 * the header only selects from them. RFC 8725 §3.1, §3.2. Refuses: algorithmRefused, keyUnknown.
 */
export function chooseKey(
  { header }: Statement,
  keys: readonly PublicKey[],
  algorithms: readonly KeyAlgorithm[],
): Result<ChosenKey, StatementFault> {
  const algorithm = algorithms.find((known) => known === header.get("alg"))
  if (algorithm === undefined) return err("algorithmRefused")
  const kid = header.get("kid")
  const named = keys.filter((key) => kid === undefined || key.kid === kid)
  const [key, ...more] = named.filter((one) => algorithmsOf(one).includes(algorithm))
  if (key !== undefined && more.length === 0) return ok({ key, algorithm })
  return err(named.length === 1 ? "algorithmRefused" : "keyUnknown")
}

export type Expected = {
  readonly issuer: string
  /** The statement has exactly one audience, and it is one of these. */
  readonly audiences: readonly string[]
  /** The longest lifetime, from `iat` to `exp`. */
  readonly secondsAtMost: number
  /** Without these two, the statement needs both claims. */
  readonly needsIssuedAt?: boolean
  readonly needsId?: boolean
}

export type Judged = {
  /** The `jti`, or null if the statement has none and needs none. */
  readonly id: string | null
  /** After this time, every clock within the tolerance refuses the statement. */
  readonly overAt: number
}

/**
 * Judges the claims of a statement with a valid signature. Refuses: issuerWrong, audienceWrong, expired, notYetValid,
 * lifetimeTooLong, idMissing.
 */
export function judgeClaims(
  { claims }: Statement,
  { issuer, audiences, secondsAtMost, needsIssuedAt = true, needsId = true }: Expected,
  now: number,
): Result<Judged, StatementFault> {
  if (claims.get("iss") !== issuer) return err("issuerWrong")
  const audience = singleText(claims.get("aud"))
  if (audience === null || !audiences.includes(audience)) return err("audienceWrong")
  const [expiresAt, notBefore, issuedAt] = ["exp", "nbf", "iat"].map((name) => claims.get(name))
  if (!isTime(expiresAt) || expiresAt + ASSERTION_SKEW_SECONDS <= now) return err("expired")
  const isDated = issuedAt !== undefined || !needsIssuedAt
  if (!isDated || !isPast(notBefore, now) || !isPast(issuedAt, now)) return err("notYetValid")
  const begunAt = isTime(issuedAt) ? issuedAt : now + ASSERTION_SKEW_SECONDS
  const longest = Math.min(begunAt, now + ASSERTION_SKEW_SECONDS) + secondsAtMost
  if (expiresAt > longest) return err("lifetimeTooLong")
  const id = claims.get("jti")
  const isNamed = typeof id === "string" && id !== ""
  if (needsId && !isNamed) return err("idMissing")
  return ok({ id: isNamed ? id : null, overAt: Math.ceil(expiresAt) + ASSERTION_SKEW_SECONDS })
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
