/** Re-authentication of a signed-in browser, and the change of the password, which requires it. */
import { decideNewPassword } from "../account-change.rules.ts"
import { type Decided, decided } from "../../model/change.rules.ts"
import {
  acceptedProofs,
  isFreshProof,
  methodsOf,
  type ProofKind,
  strengthOf,
} from "../../model/factor.rules.ts"
import { passwordProblem, type PasswordProblem } from "../password.rules.ts"
import { hashPassword, knownPlace } from "../../platform/services/password.ts"
import { factorsOf, hasRecentAuthentication } from "./factor.ts"
import type { Services } from "../../platform/services/services.ts"
import { askPasskey } from "./passkey.ts"
import type { PasskeyQuestion } from "./passkey-challenge.ts"
import { type FactorProof, type ProofAnswer, proveFactor } from "./prove-factor.ts"
import type { SignedIn } from "../sessions/session.ts"

type Needs = Pick<Services, "store" | "keys" | "clock" | "guesses" | "issuer">

type ProofQuestion = {
  readonly accepted: ReadonlySet<ProofKind>
  readonly passkey: PasskeyQuestion | null
}

export async function askProof(
  services: Omit<Needs, "guesses">,
  { account }: SignedIn,
  browserSecret: string,
): Promise<ProofQuestion> {
  const { userId } = account
  const factors = await factorsOf(services, userId)
  return {
    accepted: acceptedProofs(factors, "fresh-proof", account),
    passkey: askPasskey(services, browserSecret, { userId, factors }),
  }
}

export async function reauthenticate(
  services: Needs,
  { session: { sessionHash }, account }: SignedIn,
  proof: FactorProof,
  from: { readonly browserSecret: string; readonly address: string },
): Promise<ProofAnswer> {
  const answer = await proveFactor(services, account, proof, { ...from, purpose: "fresh-proof" })
  if (answer.outcome !== "right") return answer
  const { by } = answer
  const at = services.clock.now()
  await services.store.change({ factors: account.userId }, ({ factors }) => {
    const proven = { by: strengthOf(by), at, amr: methodsOf(by, factors ?? []) }
    return decided(null, { change: "sessionProven", sessionHash, proof: proven })
  })
  return answer
}

type PasswordChanged =
  | { readonly outcome: "done" | "unproven" }
  | { readonly outcome: "bad-password"; readonly problem: PasswordProblem }

/** Sets the account holder's new password and signs out every other browser. */
export async function changePassword(
  services: Pick<Services, "store" | "clock">,
  signedIn: SignedIn,
  password: string,
  address: string,
): Promise<PasswordChanged> {
  const { store, clock } = services
  const { sessionHash } = signedIn.session
  const { userId, username, usernameKey } = signedIn.account
  const problem = passwordProblem(password, username)
  if (problem !== null) return { outcome: "bad-password", problem }
  // This check comes first, because hashing a password takes much CPU time.
  if (!(await hasRecentAuthentication(services, signedIn))) return { outcome: "unproven" }
  const passwordHash = await hashPassword(password, knownPlace(usernameKey))
  const now = clock.now()
  return store.change(
    { account: userId, factors: userId, session: sessionHash },
    ({ account, factors, session }): Decided<PasswordChanged> => {
      if (account === null || !isFreshProof(session?.proof ?? null, factors ?? [], now))
        return decided({ outcome: "unproven" })
      const change = { account, otherAdministrator: null, now, address }
      const { changes } = decideNewPassword(change, passwordHash, sessionHash)
      return decided({ outcome: "done" }, ...changes)
    },
  )
}
