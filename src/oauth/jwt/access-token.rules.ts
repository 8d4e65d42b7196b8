/** The form of JWT access tokens: RFC 9068 §2, RFC 7519 §3. Interface JWT-2, JWT-3. */
import { JWT_LENGTH_AT_MOST } from "../../kernel/limits.ts"
import { isIdentifier } from "../../kernel/identifier.ts"
import type { Hash, KeyId, Permission } from "../../kernel/ids.ts"
import type { Account } from "../../model/account.rules.ts"
import type { AccessToken, Consent } from "../../model/credential.rules.ts"
import type { JwtFor } from "../../model/known-resources.rules.ts"
import { readOpenidFacts } from "../../model/openid-facts.rules.ts"
import type { SignatureAlgorithm } from "../../model/signing-key.rules.ts"

/** Everything that the token says, except for its issuer. */
export type JwtClaims = {
  readonly sub: string
  readonly aud: string
  readonly client_id: string
  readonly token_id: string
  readonly jti: Hash
  readonly iat: number
  readonly exp: number
  readonly scope: string
  readonly groups?: readonly string[]
  readonly auth_time?: number
  readonly acr?: string
}

/** A token of a response that is decided, but not signed yet. */
export type UnsignedJwt = { readonly algorithm: SignatureAlgorithm; readonly claims: JwtClaims }

export type IssuedJwt = Pick<JwtFor, "resource" | "algorithm"> & {
  readonly issuedAt: number
  readonly expiresAt: number
}

/** Returns null for an opaque token. A JWT does not outlive its credential. */
export function issueJwt(
  jwt: JwtFor | null,
  { endsAt }: Pick<Consent, "endsAt">,
  now: number,
): IssuedJwt | null {
  if (jwt === null) return null
  const { resource, algorithm, seconds } = jwt
  return { resource, algorithm, issuedAt: now, expiresAt: Math.min(now + seconds, endsAt) }
}

/** `jti` is the digest of a secret that is never sent. The same rotation derives it again. */
export function unsignedJwt(
  { resource, algorithm, issuedAt, expiresAt }: IssuedJwt,
  jti: Hash,
  { tokenId, clientId, openid }: Pick<Consent, "tokenId" | "clientId" | "openid">,
  { userId, groups }: Pick<Account, "userId" | "groups">,
  scope: readonly string[],
): UnsignedJwt {
  const facts = openid === null ? null : readOpenidFacts(openid)
  const claims = {
    sub: userId,
    aud: resource,
    client_id: clientId,
    token_id: tokenId,
    jti,
    iat: issuedAt,
    exp: expiresAt,
    scope: scope.join(" "),
    ...(scope.includes("groups") && { groups }),
    ...(facts !== null && { auth_time: facts.authTime, acr: facts.acr }),
  }
  return { algorithm, claims }
}

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

export function accessTokenOf({ jti, iat, exp, scope, aud }: JwtClaims): AccessToken {
  return {
    hash: jti,
    issuedAt: iat,
    expiresAt: exp,
    narrowedTo: scope.split(" ") as Permission[],
    resources: [aud],
  }
}

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
