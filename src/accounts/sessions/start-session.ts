/** Creates the session after all proofs of a sign-in. */
import { type Account, asPerson, type Proof } from "../../records/account.rules.ts"
import { decided } from "../../records/change.rules.ts"
import { needsSecondFactor, type ProofKind, strengthOf } from "../../records/factor.rules.ts"
import { digest } from "../../kernel/hash.ts"
import type { Services } from "../../services/services.ts"
import { newSession } from "./session.ts"
import { signInChanges } from "./sign-in-changes.rules.ts"

export type SignInAttempt = {
  readonly address: string
  /** The rate limit key of the IP address. All IPv6 addresses of a /64 network share one key. */
  readonly addressKey: string
  readonly userAgent: string
  /** The value of the browser cookie. */
  readonly browserSecret: string
  /** The secret of the browser's current session. The new session replaces it. */
  readonly formerSecret: string | null
}

/**
 * Returns the secret of a new session. Returns null if the account was disabled or removed during the check. Also
 * returns null if it got another password or a new second factor.
 */
export async function startSession(
  { store, clock }: Pick<Services, "store" | "clock">,
  signingIn: Account,
  proven: ProofKind,
  { address, userAgent, browserSecret, formerSecret }: SignInAttempt,
): Promise<string | null> {
  const now = clock.now()
  const { userId, passwordHash } = signingIn
  const by: Proof["by"] = strengthOf(proven)
  const { secret, session } = newSession(signingIn, { now, address, userAgent, by })
  const browserHash = digest(browserSecret)
  const detail = proven === "password" ? null : proven
  return store.change({ account: userId, factors: userId }, ({ account: found, factors }) => {
    const account = asPerson(found)
    if (account === null || !account.enabled || account.passwordHash !== passwordHash)
      return decided<string | null>(null)
    if (by === "password" && needsSecondFactor(factors ?? [])) return decided<string | null>(null)
    const formerHash = formerSecret === null ? null : digest(formerSecret)
    return decided<string | null>(secret, ...signInChanges({ session, formerHash, browserHash, detail }))
  })
}
