/** Creates the session after all proofs of a sign-in. */
import { type Account, asPerson, type Proof } from "../../model/account.rules.ts"
import { type Change, decided } from "../../model/change.rules.ts"
import { methodsOf, needsSecondFactor, type ProofKind, strengthOf } from "../../model/factor.rules.ts"
import type { Hash, UserId } from "../../kernel/ids.ts"
import { digest } from "../../kernel/hash.ts"
import { randomSecret } from "../../kernel/random.ts"
import type { Services } from "../../platform/services/services.ts"
import { newSession } from "./session.ts"
import { type RuledRows, signInChanges } from "./sign-in-changes.rules.ts"

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

/** Makes a session of an account, with the changes that sign the browser in. */
export function newSignIn(
  account: Pick<Account, "userId">,
  { address, userAgent, browserSecret, formerSecret }: SignInAttempt,
  { detail, ...proof }: NewSignIn,
  made?: string,
): { readonly secret: string; readonly changes: readonly Change[] } {
  const { secret, session } = newSession(account, { ...proof, address, userAgent }, made)
  const formerHash = formerSecret === null ? null : digest(formerSecret)
  const browserHash = digest(browserSecret)
  return { secret, changes: signInChanges({ session, formerHash, browserHash, detail }) }
}

type NewSignIn = Omit<Parameters<typeof newSession>[1], "address" | "userAgent"> & {
  /** How the person signed in. Null stands for the password alone. */
  readonly detail: string | null
}

/** A sign-in whose first step was at a sign-in provider. */
export type FirstStep = {
  readonly provider: string
  readonly identityHash: Hash
  /** The provider, if it is an application that vouches for its sessions. */
  readonly vouchedBy: string | null
  /** What the rules of the provider need. */
  readonly load: Readonly<Record<"otherAdministrator" | "memberships" | "email", UserId | null>> & {
    readonly emailByKey: string | null
  }
  /** The changes of these rules when the sign-in is complete. */
  readonly changes: (rows: RuledRows) => readonly Change[]
}

const NOTHING_MORE = { otherAdministrator: null, memberships: null, email: null, emailByKey: null }

/**
 * Returns the secret of a new session. Returns null if the account was disabled or removed during the check. Also
 * returns null if it got another password or a new second factor, or if the link of `firstStep` was removed.
 * `before` lists the methods of an earlier step.
 */
export async function startSession(
  { store, clock }: Pick<Services, "store" | "clock">,
  signingIn: Account,
  proven: ProofKind,
  attempt: SignInAttempt,
  firstStep: FirstStep | null = null,
  before: readonly string[] = [],
): Promise<string | null> {
  const now = clock.now()
  const { userId, passwordHash } = signingIn
  const by: Proof["by"] = strengthOf(proven)
  const detail = detailOf(proven, firstStep)
  const vouchedBy = firstStep?.vouchedBy ?? null
  const made = randomSecret()
  const load = {
    account: userId,
    factors: userId,
    identity: firstStep?.identityHash ?? null,
    ...(firstStep?.load ?? NOTHING_MORE),
  }
  return store.change(load, ({ account: found, factors, identity, ...rows }) => {
    const account = asPerson(found)
    if (account === null || !account.enabled || account.passwordHash !== passwordHash)
      return decided<string | null>(null)
    if (by === "password" && needsSecondFactor(factors ?? [])) return decided<string | null>(null)
    const amr = [...before, ...methodsOf(proven, factors ?? [])]
    const { secret, changes } = newSignIn(signingIn, attempt, { now, by, amr, vouchedBy, detail }, made)
    if (firstStep === null) return decided<string | null>(secret, ...changes)
    if (identity?.userId !== userId) return decided<string | null>(null)
    const more = firstStep.changes({ ...rows, account, identity })
    return decided<string | null>(secret, ...more, ...changes)
  })
}

function detailOf(proven: ProofKind, firstStep: FirstStep | null): string | null {
  if (firstStep !== null) return `through ${firstStep.provider}, then ${proven}`
  return proven === "password" ? null : proven
}
