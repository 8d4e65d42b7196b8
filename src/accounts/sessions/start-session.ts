/** Signs a browser in after all proofs. */
import type { Account, Proof } from "../../records/account.rules.ts"
import { decided } from "../../records/change.rules.ts"
import { event } from "../../records/event.rules.ts"
import { needsSecondFactor, type ProofKind, strengthOf } from "../../records/factor.rules.ts"
import { digest } from "../../kernel/hash.ts"
import type { Services } from "../../services/services.ts"
import { newSession } from "./session.ts"

export type SignInAttempt = {
  readonly address: string
  /** The throttle key of the address: a whole /64 counts as one. */
  readonly addressKey: string
  readonly userAgent: string
  /** The secret of the browser's lasting cookie. */
  readonly browserSecret: string
  /** The current session of the browser, which ends. */
  readonly formerSecret: string | null
}

/**
 * The secret of a new session. Null if, during the check, the account was disabled or removed, or got another password
 * or a second factor that was not proven.
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
  return store.change({ account: userId, factors: userId }, ({ account, factors }) => {
    if (account === null || !account.enabled || account.passwordHash !== passwordHash)
      return decided<string | null>(null)
    if (by === "password" && needsSecondFactor(factors ?? [])) return decided<string | null>(null)
    const former = formerSecret === null ? [] : [digest(formerSecret)]
    return decided<string | null>(
      secret,
      ...former.map((sessionHash) => ({ change: "sessionEnded", sessionHash }) as const),
      { change: "sessionAdded", session },
      { change: "browserKnown", browserHash, userId, at: now },
      { change: "eventRecorded", event: event("signed-in", now, { userId, address, detail }) },
    )
  })
}
