/** The token response of the interface (TOK-1…TOK-9); RFC 6749 §5.1. Times are remaining seconds. */
import type { Account } from "../../records/account.rules.ts"
import type { Hash, Permission } from "../../kernel/ids.ts"
import { type Consent, type Family, refreshEndsAt } from "../../records/credential.rules.ts"

/** A pair of tokens and their digests, made before the rule runs or derived in it. */
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
  readonly scope: string
  readonly token_id: string
  readonly user_id: string
  readonly username: string
}

export function tokenResponse(
  pair: TokenPair,
  consent: Consent,
  family: Family,
  account: Account,
  scope: readonly Permission[],
  now: number,
): TokenResponse {
  return {
    access_token: pair.accessToken,
    refresh_token: pair.refreshToken,
    token_type: "Bearer",
    // A repeated answer may be older than the lifetime of its access token.
    expires_in: Math.max(0, accessExpiresAt(family, pair) - now),
    refresh_expires_in: refreshEndsAt(consent, family) - now,
    scope: scope.join(" "),
    token_id: consent.tokenId,
    user_id: account.userId,
    username: account.username,
  }
}

function accessExpiresAt(family: Family, pair: TokenPair): number {
  const token = family.accessTokens.find((kept) => kept.hash === pair.accessHash)
  return token?.expiresAt ?? 0
}
