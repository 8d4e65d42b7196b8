/** Signing a browser in, once everything that the account asks for has been proven. */
import type { Account, Proof } from "../../records/account.rules.ts"
import { decided } from "../../records/change.rules.ts"
import { event } from "../../records/event.rules.ts"
import { needsSecondFactor, type ProofKind, strengthOf } from "../../records/factor.rules.ts"
import { digest } from "../../kernel/hash.ts"
import type { Services } from "../../services/services.ts"
import { newSession } from "./session.ts"

/** A browser that is to be signed in. */
export type SignInAttempt = {
  readonly address: string
  /** The throttle key of the address: a whole /64 counts as one. */
  readonly addressKey: string
  readonly userAgent: string
  /** The secret of the browser's lasting cookie. */
  readonly browserSecret: string
  /** The session that the browser holds already; it ends. */
  readonly formerSecret: string | null
}

/**
 * The secret of a new session. Null where the account was disabled, removed, given another password or a second factor
 * that was not proven, all while this one was being checked.
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
