/** Whether a complete access or refresh token was issued for this credential. */
import type { Hash } from "../../kernel/ids.ts"
import { sameHash } from "../../kernel/constant-time.ts"
import { type AccessToken, type Credential, familyOf } from "../../records/credential.rules.ts"
import { classify, type PresentedRefreshToken } from "./refresh-token.rules.ts"

export type PresentedAccessToken = {
  readonly hash: Hash
  /** Whether the token's MAC was made under this family's key. */
  readonly isGenuine: (familyKey: string) => boolean
}

export type FullToken =
  | { readonly kind: "access"; readonly token: PresentedAccessToken }
  | { readonly kind: "refresh"; readonly token: PresentedRefreshToken }

/**
 * The access token of this digest, expired or not; null if its digest is not stored. Only a stored one gives access.
 */
export function findAccessToken(credential: Credential, hash: Hash): AccessToken | null {
  return familyOf(credential)?.accessTokens.find((kept) => sameHash(kept.hash, hash)) ?? null
}

/** Whether this token was ever issued for the credential, even if it is retired, expired or dropped. REV-6. */
export function belongsTo(credential: Credential, presented: FullToken, now: number): boolean {
  const family = familyOf(credential)
  if (family === null) return false
  if (presented.kind === "refresh") return classify(family, presented.token, now) !== "neverIssued"
  // An access token of an earlier version has no MAC, so its digest decides.
  const { hash, isGenuine } = presented.token
  return isGenuine(family.key) || findAccessToken(credential, hash) !== null
}
