/** The token response: interface TOK-1…TOK-11; RFC 6749 §5.1. Times are remaining seconds. */
import type { Account } from "../../model/account.rules.ts"
import type { Hash, Permission } from "../../kernel/ids.ts"
import { type IssuedJwt, type UnsignedJwt, unsignedJwt } from "../jwt/access-token.rules.ts"
import { type Consent, type Family, refreshEndsAt } from "../../model/credential.rules.ts"

export type TokenPair = {
  readonly accessToken: string
  readonly accessHash: Hash
  readonly refreshToken: string
  readonly refreshHash: Hash
}

export type TokenResponse = {
  readonly access_token: string
  readonly refresh_token: string
  readonly token_type: "Bearer"
  readonly expires_in: number
  readonly refresh_expires_in: number
  /** The lifetimes of the refresh token and of the consent, as in draft-ietf-oauth-refresh-token-expiration. */
  readonly refresh_token_timeout: number
  readonly authorization_expires_in: number
  readonly scope: string
  readonly token_id: string
  readonly user_id: string
  readonly username: string
  /** The token endpoint signs this, and sends the result as the access token. The member is missing for an opaque one. */
  readonly unsigned?: UnsignedJwt | undefined
}

/** The response to `client_credentials` (RFC 6749 §4.4.3) and to an assertion, without a refresh token. */
export type ServiceTokenResponse = Omit<
  TokenResponse,
  "refresh_token" | "refresh_expires_in" | "refresh_token_timeout" | "authorization_expires_in"
>

export function tokenResponse(
  pair: TokenPair,
  consent: Consent,
  family: Family,
  account: Account,
  scope: readonly Permission[],
  now: number,
  jwt: IssuedJwt | null = null,
): TokenResponse {
  const refreshSeconds = refreshEndsAt(consent, family) - now
  return {
    access_token: pair.accessToken,
    refresh_token: pair.refreshToken,
    token_type: "Bearer",
    // A repeated response may be sent after its access token has expired.
    expires_in: Math.max(0, (jwt?.expiresAt ?? accessExpiresAt(family, pair)) - now),
    refresh_expires_in: refreshSeconds,
    refresh_token_timeout: refreshSeconds,
    authorization_expires_in: consent.endsAt - now,
    scope: scope.join(" "),
    token_id: consent.tokenId,
    user_id: account.userId,
    username: account.username,
    ...(jwt !== null && { unsigned: unsignedJwt(jwt, pair.accessHash, consent, account, scope) }),
  }
}

function accessExpiresAt(family: Family, pair: TokenPair): number {
  const token = family.accessTokens.find((kept) => kept.hash === pair.accessHash)
  return token?.expiresAt ?? 0
}

/** A retried change runs the rule again, so these random values are generated before the rule runs. */
export type TokenIssueInput = {
  readonly now: number
  readonly address: string
  readonly accessSeconds: number
  readonly familyKey: string
  readonly pair: TokenPair
}
