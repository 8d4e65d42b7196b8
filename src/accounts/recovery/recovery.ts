/** A new password by a one-time link, which comes by e-mail or from the operator. */
import type { Hash } from "../../kernel/ids.ts"
import { digest } from "../../kernel/hash.ts"
import {
  EMAIL_ADDRESS_LENGTH,
  RECOVER_LINK_SECONDS,
  RECOVERY_TRIES,
  SECOND_STEP_SECONDS,
} from "../../kernel/account-limits.ts"
import { wideNetworkOf } from "../../kernel/network.ts"
import { randomSecret } from "../../kernel/random.ts"
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"
import { isWithin } from "../../kernel/time.ts"
import { type Account, asPerson, type Person } from "../../model/account.rules.ts"
import { type Decided, decided } from "../../model/change.rules.ts"
import {
  acceptedProofs,
  methodsOf,
  needsSecondFactor,
  type ProofKind,
  strengthOf,
} from "../../model/factor.rules.ts"
import { parseEmailAddress } from "../../model/mail/email-address.rules.ts"
import type { OneTimeLink } from "../../model/mail/email.rules.ts"
import { usernameKey } from "../../model/username.rules.ts"
import { hashPassword, knownPlace } from "../../platform/services/password.ts"
import type { Services } from "../../platform/services/services.ts"
import { newLink, passwordDigestOf } from "../email/email.ts"
import { factorsOf } from "../factors/factor.ts"
import { askPasskey } from "../factors/passkey.ts"
import type { PasskeyQuestion } from "../factors/passkey-challenge.ts"
import { type FactorProof, type ProofAnswer, proveFactor } from "../factors/prove-factor.ts"
import type { Actor } from "../../model/event.rules.ts"
import { findPerson, NO_ACCOUNT } from "../find-account.ts"
import { passwordProblem, type PasswordProblem } from "../password.rules.ts"
import { newSession } from "../sessions/session.ts"
import { isAdmitted } from "../sessions/session.rules.ts"
import type { SignInAttempt } from "../sessions/start-session.ts"
import {
  decideByHand,
  decideRecovered,
  decideRequested,
  isRecoveryAlive,
  type Recovered,
} from "./recovery.rules.ts"

type Needs = Pick<Services, "store" | "clock" | "keys" | "guesses" | "issuer" | "background" | "providers">

type RecoveryRequested =
  { readonly outcome: "accepted" | "empty" | "busy" } | { readonly outcome: "wait"; readonly seconds: number }

type RequestAttempt = Pick<SignInAttempt, "address" | "addressKey" | "browserSecret">

/**
 * Accepts a request for a link. The account is looked up after the response, so neither text nor time reveals whether
 * there is one. RECOVER-1. The limits are of one network, so that a stranger does not use up those of the owner.
 */
export async function requestRecovery(
  services: Needs,
  typed: string,
  attempt: RequestAttempt,
): Promise<RecoveryRequested> {
  const { address, addressKey } = attempt
  const name = typed.trim()
  if (name === "" || name.length > EMAIL_ADDRESS_LENGTH.whole) return { outcome: "empty" }
  const spent = await services.guesses.spendAll([
    { key: `recover address:${addressKey}`, limit: RECOVERY_TRIES.address },
    { key: `recover network:${wideNetworkOf(address)}`, limit: RECOVERY_TRIES.network },
    { key: `recover name:${digest(usernameKey(name))} ${addressKey}`, limit: RECOVERY_TRIES.name },
  ])
  if (!spent.admitted) return { outcome: "wait", seconds: spent.retryAfterSeconds }
  const isQueued = services.background.add(() => sendRecovery(services, name, attempt))
  if (isQueued) return { outcome: "accepted" }
  await spent.giveBack()
  return { outcome: "busy" }
}

/** The account of an address comes before an account that is named like the address. */
async function sendRecovery(services: Needs, name: string, attempt: RequestAttempt): Promise<void> {
  const { store, clock, guesses } = services
  const nameKey = usernameKey(name)
  const parsed = parseEmailAddress(name)
  const counted = await guesses.spendAll([
    { key: `recover event:${digest(nameKey)}`, limit: RECOVERY_TRIES.events },
  ])
  const { accountByName, emailByKey } = await store.read({
    accountByName: nameKey,
    emailByKey: parsed.ok ? parsed.value.addressKey : null,
  })
  const userId = emailByKey?.userId ?? accountByName?.userId ?? NO_ACCOUNT
  const link = newLink(services)
  const now = clock.now()
  const load = {
    account: userId,
    email: userId,
    mailsOf: userId,
    knownBrowser: { browserHash: digest(attempt.browserSecret), userId },
  }
  await store.change(load, ({ account: found, email, mailsOf, knownBrowser }) => {
    const account = found !== null && isAdmitted(found, services.providers) ? found : null
    return decided(
      null,
      ...decideRequested(
        {
          account,
          email,
          mails: mailsOf ?? [],
          isKnownBrowser: knownBrowser !== null,
          passwordDigest: account === null ? null : passwordDigestOf(account),
          now,
          networkAddress: attempt.address,
          leavesEvent: counted.admitted,
        },
        link,
      ),
    )
  })
}

type HandedLink = { readonly account: Account; readonly secret: string; readonly expiresAt: number }

/** Makes a link that the operator hands over. It works without e-mail. */
export async function makeRecoveryLink(
  services: Pick<Services, "store" | "clock">,
  name: string,
  { address: networkAddress }: Actor,
): Promise<Result<HandedLink, Problem>> {
  const found = await findPerson(services, name)
  if (!found.ok) return found
  const secret = randomSecret()
  const linkHash = digest(secret)
  const now = services.clock.now()
  return services.store.change(
    { account: found.value.userId },
    ({ account }): Decided<Result<HandedLink, Problem>> => {
      if (account === null) return decided(err("The account was just removed."))
      if (!account.enabled) return decided(err(`"${account.username}" is disabled. Enable it first.`))
      const request = { passwordDigest: passwordDigestOf(account), now, networkAddress }
      const made = { account, secret, expiresAt: now + RECOVER_LINK_SECONDS }
      return decided(ok(made), ...decideByHand(request, account, linkHash))
    },
  )
}

export type OpenedRecovery = { readonly link: OneTimeLink; readonly account: Person }

/** Returns the link of a secret, if it works. This leaves the link unused. */
export async function openRecovery(
  { store, clock }: Pick<Needs, "store" | "clock">,
  secret: string,
): Promise<OpenedRecovery | null> {
  const { link } = await store.read({ link: digest(secret) })
  const userId = link?.userId ?? null
  const { account, email } = await store.read({ account: userId, email: userId })
  const person = asPerson(account)
  if (person === null) return null
  const held = { account, email, passwordDigest: passwordDigestOf(person) }
  return isRecoveryAlive(link, held, clock.now()) ? { link, account: person } : null
}

type RecoveryQuestion = {
  /** Whether a second factor must be proven before the new password. */
  readonly needsProof: boolean
  readonly accepted: ReadonlySet<ProofKind>
  readonly passkey: PasskeyQuestion | null
}

export async function askRecoveryProof(
  services: Pick<Services, "store" | "keys" | "clock" | "issuer">,
  { userId }: Account,
  browserSecret: string,
): Promise<RecoveryQuestion> {
  const factors = await factorsOf(services, userId)
  return {
    needsProof: needsSecondFactor(factors),
    accepted: acceptedProofs(factors, "sign-in"),
    passkey: askPasskey(services, browserSecret, { userId, factors }),
  }
}

/** What a browser has proven with a link. It travels through the form of the new password, sealed. */
type ProofTicket = {
  readonly linkHash: Hash
  readonly browserHash: Hash
  readonly by: ProofKind
  readonly at: number
}

const SEALED_FOR = "recovery proof"

/** Checks a second factor. This leaves the link unused. Returns the ticket of the proof. */
export async function proveForRecovery(
  services: Needs,
  { link, account }: OpenedRecovery,
  proof: FactorProof,
  { browserSecret, address }: SignInAttempt,
): Promise<
  Exclude<ProofAnswer, { outcome: "right" }> | { readonly outcome: "right"; readonly ticket: string }
> {
  const answer = await proveFactor(services, account, proof, { purpose: "sign-in", browserSecret, address })
  if (answer.outcome !== "right") return answer
  const { linkHash } = link
  const browserHash = digest(browserSecret)
  const proven: ProofTicket = { linkHash, browserHash, by: answer.by, at: services.clock.now() }
  return { outcome: "right", ticket: services.keys.seal(SEALED_FOR, JSON.stringify(proven)) }
}

function provenBy(
  { keys, clock }: Pick<Services, "keys" | "clock">,
  ticket: string,
  { linkHash }: OneTimeLink,
  browserSecret: string,
): ProofKind | null {
  const content = keys.open(SEALED_FOR, ticket)
  if (content === null) return null
  const proven = JSON.parse(content) as ProofTicket
  const isOwn = proven.linkHash === linkHash && proven.browserHash === digest(browserSecret)
  return isOwn && isWithin(proven.at, clock.now(), SECOND_STEP_SECONDS) ? proven.by : null
}

type RecoverAnswer =
  | { readonly outcome: "done"; readonly sessionSecret: string }
  | { readonly outcome: "gone" }
  | { readonly outcome: "unproven" }
  | { readonly outcome: "bad-password"; readonly problem: PasswordProblem }

/** Uses the link: sets the password, ends every session, and signs this browser in. */
export async function recover(
  services: Needs,
  secret: string,
  { password, ticket }: { readonly password: string; readonly ticket: string },
  attempt: SignInAttempt,
): Promise<RecoverAnswer> {
  const { store, clock } = services
  const opened = await openRecovery(services, secret)
  if (opened === null) return { outcome: "gone" }
  const { link, account } = opened
  const { userId, username, usernameKey: nameKey } = account
  const proven = provenBy(services, ticket, link, attempt.browserSecret)
  // This check comes first, because hashing a password takes much CPU time.
  const factors = await factorsOf(services, userId)
  if (proven === null && needsSecondFactor(factors)) return { outcome: "unproven" }
  const problem = passwordProblem(password, username)
  if (problem !== null) return { outcome: "bad-password", problem }
  const passwordHash = await hashPassword(password, knownPlace(nameKey))
  const now = clock.now()
  const { address, userAgent, browserSecret, formerSecret } = attempt
  const kind = proven ?? "password"
  const by = strengthOf(kind)
  const made = newSession(account, { now, address, userAgent, by, amr: methodsOf(kind, factors) })
  const recovery = {
    now,
    networkAddress: address,
    browserHash: digest(browserSecret),
    formerHash: formerSecret === null ? null : digest(formerSecret),
    proven,
    session: made.session,
  }
  const load = { link: link.linkHash, account: userId, email: userId, factors: userId } as const
  const outcome = await store.change(load, (found): Decided<Recovered> => {
    const passwordDigest = found.account === null ? null : passwordDigestOf(found.account)
    const held = { account: found.account, email: found.email, passwordDigest, factors: found.factors ?? [] }
    return decideRecovered(found.link, held, passwordHash, recovery)
  })
  return outcome === "done" ? { outcome, sessionSecret: made.secret } : { outcome }
}
