/** Whether a full token, access or refresh, is one that this credential was given. */
import type { Hash } from "./brand.ts"
import { sameHash } from "./constant-time.ts"
import { type AccessToken, type Credential, familyOf } from "./credential.ts"
import { classify, type PresentedRefreshToken } from "./refresh-token.ts"

export type FullToken =
  | { readonly kind: "access"; readonly hash: Hash }
  | { readonly kind: "refresh"; readonly token: PresentedRefreshToken }

/** The access token of this digest, expired or not; null where it is not known (any more). */
export function findAccessToken(credential: Credential, hash: Hash): AccessToken | null {
  return familyOf(credential)?.accessTokens.find((kept) => sameHash(kept.hash, hash)) ?? null
}

/** A retired refresh token counts, and an expired access token for as long as it is known. */
export function belongsTo(credential: Credential, presented: FullToken, now: number): boolean {
  if (presented.kind === "access") return findAccessToken(credential, presented.hash) !== null
  const family = familyOf(credential)
  return family !== null && classify(family, presented.token, now) !== "neverIssued"
}
