/**
 * The ways in which a person can sign in to an account. Passkeys and connections to sign-in providers are removed by
 * this one rule: the last way in stays, and an administrator keeps one that needs no provider. UP-10.
 */
import { type Account, hasPassword } from "../model/account.rules.ts"
import type { Factor } from "../model/factor.rules.ts"
import type { Identity } from "../model/sign-in/identity.rules.ts"
import { isIssuerOf, type SignInProvider } from "../model/sign-in/provider.rules.ts"

/** What the service offers. */
export type Offered = {
  /** Whether passkeys work at the base URL. */
  readonly hasPasskeys: boolean
  /** The providers that the configuration has. */
  readonly providers: readonly Pick<SignInProvider, "issuer">[]
  /** The issuer of the application that signs in all but administrators. Without one, all ways count. */
  readonly only?: string | undefined
}

export type WaysIn = {
  readonly account: Account
  readonly factors: readonly Factor[]
  readonly identities: readonly Identity[]
}

/** Whether the account can sign in. A link works while the configuration has a provider with its issuer. */
export function hasWayIn({ identities, ...local }: WaysIn, offered: Offered): boolean {
  const isOffered = ({ issuer }: Identity) => offered.providers.some((one) => isIssuerOf(one, issuer))
  if (offered.only !== undefined && !local.account.admin)
    return identities.some(({ issuer }) => issuer === offered.only)
  return hasLocalWayIn(local, offered) || identities.some(isOffered)
}

/** Whether the account can sign in without any provider. */
export function hasLocalWayIn(
  { account, factors }: Omit<WaysIn, "identities">,
  { hasPasskeys }: Pick<Offered, "hasPasskeys">,
): boolean {
  return hasPassword(account) || (hasPasskeys && factors.some(({ kind }) => kind === "passkey"))
}
