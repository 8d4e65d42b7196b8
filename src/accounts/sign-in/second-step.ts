/**
 * The second step of a sign-in, and sign-in by passkey alone: FACTOR-4, FACTOR-5.
 *
 * The database stores nothing between the steps. A sealed ticket proves that this browser sent the right password, or
 * came back from a sign-in provider. The ticket is bound to the stored password and valid for ten minutes.
 */
import { type Account, asPerson, type Person } from "../../model/account.rules.ts"
import type { Hash, UserId } from "../../kernel/ids.ts"
import { decided } from "../../model/change.rules.ts"
import { decideCountedPasskey } from "../factors/code-tries.rules.ts"
import type { Proven } from "../factors/factor-proof.rules.ts"
import { acceptedProofs, type ProofKind } from "../../model/factor.rules.ts"
import { PASSKEY_TRIES, SECOND_STEP_SECONDS } from "../../kernel/account-limits.ts"
import { isWithin } from "../../kernel/time.ts"
import { digest } from "../../kernel/hash.ts"
import { factorsOf } from "../factors/factor.ts"
import { checkCounted } from "../../platform/services/counted-attempt.ts"
import type { Services } from "../../platform/services/services.ts"
import { askPasskey, readAssertion } from "../factors/passkey.ts"
import type { PasskeyAnswer, PasskeyQuestion } from "../factors/passkey-challenge.ts"
import { type FactorProof, proveFactor } from "../factors/prove-factor.ts"
import { isAdmitted } from "../sessions/session.rules.ts"
import { type FirstStep, startSession, type SignInAttempt } from "../sessions/start-session.ts"
import { givenChanges, ruledLoad, type ThroughProvider, underCurrentRules } from "./given.rules.ts"

type Needs = Pick<Services, "store" | "keys" | "clock" | "guesses" | "issuer" | "providers">

type SecondStepTicket = {
  readonly userId: UserId
  readonly browserHash: Hash
  /** The digest of the stored password hash. A new password therefore invalidates the ticket. */
  readonly passwordDigest: Hash
  /** Null after a password. */
  readonly through: ThroughProvider | null
  readonly madeAt: number
}

type SecondStepQuestion = {
  readonly ticket: string
  readonly accepted: ReadonlySet<ProofKind>
  /** The value is null if the account has no passkey or passkeys do not work at this URL. */
  readonly passkey: PasskeyQuestion | null
}

/** Returns the proofs that the second step accepts. `ticket` is the ticket of an earlier attempt. */
export async function askSecondStep(
  services: Omit<Needs, "guesses" | "providers">,
  { userId, passwordHash }: Person,
  browserSecret: string,
  ticket: string | null = null,
  through: ThroughProvider | null = null,
): Promise<SecondStepQuestion> {
  const { keys, clock } = services
  const factors = await factorsOf(services, userId)
  const fresh: SecondStepTicket = {
    userId,
    browserHash: digest(browserSecret),
    passwordDigest: digest(passwordHash),
    through,
    madeAt: clock.now(),
  }
  return {
    ticket: ticket ?? keys.seal("second step", JSON.stringify(fresh)),
    accepted: acceptedProofs(factors, "sign-in"),
    passkey: askPasskey(services, browserSecret, { userId, factors }),
  }
}

type SecondStepAnswer =
  | { readonly outcome: "signed-in"; readonly secret: string }
  /** The page that asks again shows this account. */
  | { readonly outcome: "wrong" | "closed"; readonly account: Person }
  | { readonly outcome: "wait"; readonly account: Person; readonly seconds: number }
  /** The ticket expired or came from another browser, or the password has changed. */
  | { readonly outcome: "stale" }

export async function takeSecondStep(
  services: Needs,
  sealed: string,
  proof: FactorProof,
  visitor: SignInAttempt,
): Promise<SecondStepAnswer> {
  const { browserSecret, address } = visitor
  const half = await halfSignedIn(services, sealed, browserSecret)
  if (half === null) return { outcome: "stale" }
  const { account, through } = half
  const answer = await proveFactor(services, account, proof, { purpose: "sign-in", browserSecret, address })
  switch (answer.outcome) {
    case "wrong":
    case "closed":
      return { outcome: answer.outcome, account }
    case "wait":
      return { ...answer, account }
    case "right": {
      const first = through === null ? null : firstStep(services, through, account, address)
      const before = first === null ? ["pwd"] : []
      const secret = await startSession(services, account, answer.by, visitor, first, before)
      return secret === null ? { outcome: "stale" } : { outcome: "signed-in", secret }
    }
  }
}

function firstStep(
  { clock, providers }: Pick<Services, "clock" | "providers">,
  through: ThroughProvider,
  { userId }: Person,
  address: string,
): FirstStep {
  const { provider, identityHash } = through
  const now = clock.now()
  const vouchedBy = providers.get(provider)?.preset === "application" ? provider : null
  const changes: FirstStep["changes"] = (rows) => givenChanges(rows, { ...through, now, address })
  return { provider, identityHash, vouchedBy, load: ruledLoad(through, userId), changes }
}

type HalfSignedIn = { readonly account: Person; readonly through: ThroughProvider | null }

/** Returns the account of a ticket, or null if the ticket is not valid. */
async function halfSignedIn(
  { store, keys, clock, providers }: Pick<Services, "store" | "keys" | "clock" | "providers">,
  sealed: string,
  browserSecret: string,
): Promise<HalfSignedIn | null> {
  const content = keys.open("second step", sealed)
  if (content === null) return null
  const { userId, browserHash, passwordDigest, through, madeAt } = JSON.parse(content) as SecondStepTicket
  if (browserHash !== digest(browserSecret) || !isWithin(madeAt, clock.now(), SECOND_STEP_SECONDS))
    return null
  const provider = through === null ? null : (providers.get(through.provider) ?? null)
  if (through !== null && provider === null) return null
  const { account } = await store.read({ account: userId })
  const person = asPerson(account)
  if (person === null || (through === null && !isAdmitted(person, providers))) return null
  return person.enabled && digest(person.passwordHash) === passwordDigest
    ? { account: person, through: provider && through && underCurrentRules(provider, through) }
    : null
}

type PasskeySignIn =
  | { readonly outcome: "signed-in"; readonly secret: string }
  | { readonly outcome: "wrong" }
  | { readonly outcome: "wait"; readonly seconds: number }

/** Signs in by passkey alone. The authenticator has verified its user, so the passkey counts as two factors. */
export async function signInByPasskey(
  services: Needs,
  answer: PasskeyAnswer,
  visitor: SignInAttempt,
): Promise<PasskeySignIn> {
  const counter = { key: `passkey:${visitor.addressKey}`, limit: PASSKEY_TRIES }
  const spent = await services.guesses.spendAll([counter])
  if (!spent.admitted) return { outcome: "wait", seconds: spent.retryAfterSeconds }
  const account = await checkCounted(spent, () => passkeyOwner(services, answer, visitor))
  if (account === null) return { outcome: "wrong" }
  await spent.giveBack()
  const secret = await startSession(services, account, "passkey", visitor)
  return secret === null ? { outcome: "wrong" } : { outcome: "signed-in", secret }
}

async function passkeyOwner(
  services: Needs,
  answer: PasskeyAnswer,
  { browserSecret, address }: SignInAttempt,
): Promise<Account | null> {
  const { store, clock, providers } = services
  const read = await readAssertion(services, answer, browserSecret, null)
  if (read === null) return null
  const { userId } = read.passkey
  const { asserted } = read
  const now = clock.now()
  return store.change(
    { account: userId, factors: userId, codeTries: userId, spentTicket: asserted.ticketId },
    ({ account, factors, codeTries, spentTicket }) => {
      if (account === null || !account.enabled || !isAdmitted(account, providers))
        return decided<Account | null>(null)
      const attempt = { userId, factors: factors ?? [], purpose: "sign-in", now, address } as const
      const { answer: proven, changes } = decideCountedPasskey(
        attempt,
        asserted,
        spentTicket !== null,
        codeTries,
      )
      const owner: Account | null = (proven satisfies Proven) === null ? null : account
      return { answer: owner, changes }
    },
  )
}
