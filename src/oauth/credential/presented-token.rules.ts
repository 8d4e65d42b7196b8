/** Says whether an access or refresh token was issued for a credential. */
import type { Hash } from "../../kernel/ids.ts"
import { type Credential, familyOf, findAccessToken } from "../../model/credential.rules.ts"
import { classify, type PresentedRefreshToken } from "./refresh-token.rules.ts"

export type PresentedAccessToken = {
  readonly hash: Hash
  /** Whether the MAC of the token was made with this family key. */
  readonly isGenuine: (familyKey: string) => boolean
}

export type FullToken =
  | { readonly kind: "access"; readonly token: PresentedAccessToken }
  | { readonly kind: "refresh"; readonly token: PresentedRefreshToken }
  /** A JWT. Its claims name the credential. */
  | { readonly kind: "jwt"; readonly token: { readonly isSigned: () => boolean } }

/** Whether this token was issued for the credential. Retired, expired and removed tokens count too: REV-6. */
export function belongsTo(credential: Credential, presented: FullToken, now: number): boolean {
  const family = familyOf(credential)
  if (family === null) return false
  if (presented.kind === "refresh") return classify(family, presented.token, now) !== "neverIssued"
  if (presented.kind === "jwt") return presented.token.isSigned()
  // Access tokens of earlier versions have no MAC, so only their stored digest identifies them.
  const { hash, isGenuine } = presented.token
  return isGenuine(family.key) || findAccessToken(credential, hash) !== null
}
