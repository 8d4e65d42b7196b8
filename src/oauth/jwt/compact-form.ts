/** The compact form of JWT access tokens: RFC 9068 §2.1, RFC 7515 §7.1. Interface JWT-4. */
import { JWT_LENGTH_AT_MOST } from "../../kernel/limits.ts"
import { isIdentifier } from "../../kernel/identifier.ts"
import type { KeyId } from "../../kernel/ids.ts"
import type { SignatureAlgorithm } from "../../model/signing-key.rules.ts"
import type { JwtClaims, UnsignedJwt } from "./access-token.rules.ts"

/** Header and claims as they are signed. No other header is accepted, so only the key decides on the algorithm. */
export function signingInput(kid: KeyId, { algorithm, claims }: UnsignedJwt, issuer: string): string {
  return `${headerOf(kid, algorithm)}.${base64url({ iss: issuer, ...claims })}`
}

export function headerOf(kid: KeyId, alg: SignatureAlgorithm): string {
  return base64url({ alg, typ: "at+jwt", kid })
}

/** A text that may be a JWT access token. Nothing in it is verified yet. */
export type ReadJwt = {
  readonly header: string
  readonly kid: KeyId
  readonly input: string
  readonly signature: string
  readonly claims: SignedClaims
}

type SignedClaims = JwtClaims & { readonly iss: string }

const FORM = /^(eyJ[\w-]+)\.(eyJ[\w-]+)\.([\w-]+)$/

/** Whether the text has three parts of base64url that begin as JSON objects do. Opaque tokens never do. */
export function isJwt(text: string): boolean {
  return text.startsWith("eyJ") && text.length <= JWT_LENGTH_AT_MOST && FORM.test(text)
}

export function readJwt(text: string): ReadJwt | null {
  const [, header = "", payload = "", signature = ""] = FORM.exec(text) ?? []
  const { kid } = objectOf(header)
  const claims = objectOf(payload)
  if (typeof kid !== "string" || !isIdentifier(kid) || !isToken(claims)) return null
  return { header, kid: kid as KeyId, input: `${header}.${payload}`, signature, claims }
}

/** Whether rows can be looked up by the claims. A signature of this service proves the others. */
function isToken(claims: Partial<Record<string, unknown>>): claims is SignedClaims {
  const { token_id: tokenId, jti } = claims
  return typeof tokenId === "string" && isIdentifier(tokenId) && typeof jti === "string" && DIGEST.test(jti)
}

const DIGEST = /^[\w-]{43}$/

function base64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url")
}

function objectOf(text: string): Partial<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, "base64url").toString())
    return typeof value === "object" && value !== null ? value : {}
  } catch {
    return {}
  }
}
