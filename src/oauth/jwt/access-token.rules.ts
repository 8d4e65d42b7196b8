/** What a JWT access token says: RFC 9068 §2.2. Interface JWT-2, JWT-3. */
import type { Hash, Permission } from "../../kernel/ids.ts"
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
    ...(facts !== null && { acr: facts.acr }),
    ...(facts !== null && facts.authTime > 0 && { auth_time: facts.authTime }),
  }
  return { algorithm, claims }
}

export function accessTokenOf({ jti, iat, exp, scope, aud }: JwtClaims): AccessToken {
  return {
    hash: jti,
    issuedAt: iat,
    expiresAt: exp,
    narrowedTo: scope.split(" ") as Permission[],
    resources: [aud],
  }
}
