/** Decides what a new sign-in at a provider proves of an account that is signed in here. LOGIN-16…LOGIN-18. */
import type { UserId } from "../../../kernel/ids.ts"
import { MINUTE } from "../../../kernel/time.ts"
import { type Change, eventRecorded } from "../../../model/change.rules.ts"
import { type Factor, needsSecondFactor } from "../../../model/factor.rules.ts"
import type { SignInProvider } from "../../../model/sign-in/provider.rules.ts"
import { type Claims, isSecondFactor } from "./claims.rules.ts"

/** What the audit trail says of a proof that a provider did not give. LOGIN-16, LOGIN-24. */
export function refusedProof(
  gap: ProofGap | "not-yours",
  { name }: Pick<SignInProvider, "name">,
  now: number,
  facts: { readonly userId: UserId; readonly address: string },
): Change {
  const detail = `${name}: ${words[gap]}`
  return eventRecorded("factor-refused", now, { ...facts, detail })
}

const words: Readonly<Record<ProofGap | "not-yours", string>> = {
  "not-yours": "not the connected account",
  "no-time": "no auth_time",
  "not-recent": "auth_time too early",
  "too-weak": "no second factor",
}

export type ProofGap = "no-time" | "not-recent" | "too-weak"

/** The clocks of this service and of a provider may differ by this much. */
const CLOCK_SECONDS = MINUTE

/**
 * Returns when the person authenticated at the provider, or null if it does not say. A time in the future or of another
 * form proves nothing, so it is 0.
 */
export function authTimeIn({ auth_time: at }: Claims, now: number): number | null {
  if (at === undefined) return null
  if (typeof at !== "number" || !(at >= 0 && at <= now + CLOCK_SECONDS)) return 0
  return Math.min(Math.floor(at), now)
}

/** Returns why the claims do not prove a sign-in after `since`, or null if they do. */
export function gapSince(claims: Claims, since: number, now: number): ProofGap | null {
  const at = authTimeIn(claims, now)
  if (at === null) return "no-time"
  return at < since - CLOCK_SECONDS ? "not-recent" : null
}

/** An account with a second factor here is not proven by less. */
export function gapInStrength(
  provider: SignInProvider,
  claims: Claims,
  factors: readonly Factor[],
): ProofGap | null {
  return needsSecondFactor(factors) && !isSecondFactor(provider, claims) ? "too-weak" : null
}
