/** What is known of a person who came back from a provider, and the session that this gives. */
import { type Account, hasPassword } from "../../model/account.rules.ts"
import type { IdentityKey } from "../../model/sign-in/identity.rules.ts"
import type { SignInProvider } from "../../model/sign-in/provider.rules.ts"
import type { TokenId } from "../../kernel/ids.ts"
import { randomSecret } from "../../kernel/random.ts"
import type { Services } from "../../platform/services/services.ts"
import { newSignIn, type SignInAttempt } from "../sessions/start-session.ts"
import { isRenewedBy } from "../sessions/session.rules.ts"
import * as given from "../sign-in/given.rules.ts"
import type { Arrival } from "./arrival.rules.ts"

/** A person whose account has no name yet. It is sealed into the page that asks for one. */
export type Unnamed = given.UnderRules & {
  readonly provider: string
  readonly key: IdentityKey
  readonly shownName: string | null
  readonly ticketId: TokenId
  readonly isSecondFactor: boolean
  /** The secret of the invitation that the sign-in accepts. */
  readonly link?: string | undefined
  /** When the person authenticated at the provider. Null if the provider does not say, 0 if it had to. */
  readonly authTime: number | null
  /** What proved it there. Missing if the provider does not say. */
  readonly amr?: readonly string[]
}

/** The sealed person under the rules of the provider as they are now. The page may be older than the configuration. */
export function underCurrentRules(provider: SignInProvider, unnamed: Unnamed): Unnamed {
  const { acr, amr } = provider.secondFactor
  return {
    ...given.underCurrentRules(provider, unnamed),
    isSecondFactor: unnamed.isSecondFactor && acr.length + amr.length > 0,
  }
}

export function arrivalOf(
  { clock, providers }: Pick<Services, "clock" | "providers">,
  unnamed: Unnamed,
  attempt: SignInAttempt,
  isRenewal = false,
): Arrival {
  const { provider, isSecondFactor, authTime, amr } = unnamed
  const now = clock.now()
  const vouchedBy = providers.get(provider)?.preset === "application" ? provider : null
  const by = isSecondFactor ? ("second-factor" as const) : ("password" as const)
  // The secret is made here, because a rule may run several times.
  const made = randomSecret()
  return {
    ...unnamed,
    now,
    address: attempt.address,
    session: (account: Account) => {
      const provenAt = authenticatedAt(authTime, account, now)
      const proof = { now, by, provenAt, ...(amr !== undefined && { amr }) }
      return newSignIn(account, attempt, { ...proof, vouchedBy, detail: `through ${provider}` }, made)
    },
    renewed: (account, session) => {
      const { formerSecret: secret } = attempt
      if (!isRenewal || secret === null || !isRenewedBy(vouchedBy, account, session, now)) return null
      return { secret, changes: [{ change: "sessionVouched", sessionHash: session.sessionHash, at: now }] }
    },
  }
}

/**
 * When the person authenticated at the provider. A provider may sign in without asking, and then not say when it asked
 * last. That proves nothing new for an account that has a password to ask for.
 */
export function authenticatedAt(authTime: number | null, account: Account, now: number): number {
  return authTime ?? (hasPassword(account) ? 0 : now)
}
