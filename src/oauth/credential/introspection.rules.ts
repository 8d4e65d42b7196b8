/** What a resource server learns about a token. RFC 7662 §2.2; interface INTRO-1, INTRO-2. */
import type { Bearer } from "./bearer.rules.ts"

export type Introspection =
  | { readonly active: false }
  | {
      readonly active: true
      /** What the token reaches now. */
      readonly scope: string
      readonly client_id: string
      readonly username: string
      readonly token_type: "Bearer"
      readonly exp: number
      readonly iat: number
      readonly sub: string
      /** The resources that the authorization request named (RFC 8707). */
      readonly aud?: readonly string[]
      readonly iss: string
      readonly token_id: string
      readonly elevated_until?: number
    }

/** What introspection says of an active token; any other token (null) is `active: false`, whatever the reason. */
export function introspection(bearer: Bearer | null, issuer: string): Introspection {
  if (bearer === null) return { active: false }
  const { credential, client, account, accessToken, reach, elevatedUntil } = bearer
  const { tokenId, resources } = credential.consent
  return {
    active: true,
    scope: reach.join(" "),
    client_id: client.clientId,
    username: account.username,
    token_type: "Bearer",
    exp: accessToken.expiresAt,
    iat: accessToken.issuedAt,
    sub: account.userId,
    ...(resources.length > 0 && { aud: resources }),
    iss: issuer,
    token_id: tokenId,
    ...(elevatedUntil !== null && { elevated_until: elevatedUntil }),
  }
}
