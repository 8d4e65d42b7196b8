/** Decides whether an account can prove itself by signing in at a provider again. UP-11, LOGIN-15, LOGIN-18. */
import { type Factor, needsSecondFactor } from "../../model/factor.rules.ts"
import type { Identity } from "../../model/sign-in/identity.rules.ts"
import { isIssuerOf, type SignInProvider } from "../../model/sign-in/provider.rules.ts"

export type ProvingAccount = {
  readonly identities: readonly Identity[] | null
  readonly factors: readonly Factor[] | null
}

/** Of an account with a second factor, the provider must be able to prove one too. A step-up needs `auth_time`. */
export function canProve(
  provider: SignInProvider,
  { identities, factors }: ProvingAccount,
  purpose: "fresh-proof" | "step-up",
): boolean {
  // GitHub never says when it last asked for a proof.
  if (purpose === "step-up" && provider.preset === "github") return false
  if (!(identities ?? []).some(({ issuer }) => isIssuerOf(provider, issuer))) return false
  const { acr, amr } = provider.secondFactor
  return !needsSecondFactor(factors ?? []) || acr.length + amr.length > 0
}
