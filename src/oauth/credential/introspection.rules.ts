/** The introspection response. RFC 7662 §2.2; interface INTRO-1, INTRO-2, GROUP-8, LOGIN-30. */
import type { Account, AccountType } from "../../model/account.rules.ts"
import { anyResource, type ResourceSpelling } from "../../model/known-resources.rules.ts"
import type { Identity } from "../../model/sign-in/identity.rules.ts"
import type { SignInProviders } from "../../model/sign-in/provider.rules.ts"
import type { Bearer } from "./bearer.rules.ts"

/** The name of an application and the user there. */
export type ApplicationUser = Pick<Identity, "provider" | "subject">

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
      /** Missing for an account that is not linked to an application. */
      readonly identities?: readonly ApplicationUser[]
    }

/** Builds the response. `bearer` is null for every token that is not active, so the response cannot reveal why. */
export function introspection(
  bearer: Bearer | null,
  issuer: string,
  spellingOf: ResourceSpelling = anyResource,
  identities: readonly ApplicationUser[] = [],
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
    ...(identities.length > 0 && { identities }),
  }
}

/** Whether the account may be linked to an application. Without one in the configuration, no account is. */
export function mayBeLinked({ type }: Pick<Account, "type">, providers: SignInProviders): boolean {
  return type === "person" && [...providers.values()].some(({ preset }) => preset === "application")
}

/**
 * Returns how the applications name the person, sorted by application, then by time of the link. The issuer of an
 * application is its name.
 */
export function applicationUsers(
  providers: SignInProviders,
  identities: readonly Identity[],
): ApplicationUser[] {
  return identities
    .filter(({ issuer }) => providers.get(issuer)?.preset === "application")
    .toSorted(
      (a, b) => compare(a.issuer, b.issuer) || a.linkedAt - b.linkedAt || compare(a.subject, b.subject),
    )
    .map(({ issuer, subject }) => ({ provider: issuer, subject }))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
