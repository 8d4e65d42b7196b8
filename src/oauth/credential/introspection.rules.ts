/** The introspection response. RFC 7662 §2.2; interface INTRO-1, INTRO-2, GROUP-8. */
import type { AccountType } from "../../model/account.rules.ts"
import { anyResource, type ResourceSpelling } from "../../model/known-resources.rules.ts"
import type { Bearer } from "./bearer.rules.ts"

export type Introspection =
  | { readonly active: false }
  | {
      readonly active: true
      /** The permissions that the token reaches now. */
      readonly scope: string
      readonly client_id: string
      readonly username: string
      readonly account_type: AccountType
      /** The groups of the account now, sorted. */
      readonly groups: readonly string[]
      readonly token_type: "Bearer"
      readonly exp: number
      readonly iat: number
      readonly sub: string
      /** The `resource` values that the token was requested for (RFC 8707). */
      readonly aud?: readonly string[]
      readonly iss: string
      readonly token_id: string
      readonly elevated_until?: number
    }

/** Builds the response. `bearer` is null for every token that is not active, so the response cannot reveal why. */
export function introspection(
  bearer: Bearer | null,
  issuer: string,
  spellingOf: ResourceSpelling = anyResource,
): Introspection {
  if (bearer === null) return { active: false }
  const { credential, client, account, accessToken, reach, elevatedUntil } = bearer
  const { tokenId, resources } = credential.consent
  return {
    active: true,
    scope: reach.join(" "),
    client_id: client.clientId,
    username: account.username,
    account_type: account.type,
    groups: account.groups,
    token_type: "Bearer",
    exp: accessToken.expiresAt,
    iat: accessToken.issuedAt,
    sub: account.userId,
    ...(resources.length > 0 && { aud: resources.map((resource) => spellingOf(resource) ?? resource) }),
    iss: issuer,
    token_id: tokenId,
    ...(elevatedUntil !== null && { elevated_until: elevatedUntil }),
  }
}
