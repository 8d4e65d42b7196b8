/**
 * Checks the proof of a factor, for the second step of a sign-in, re-authentication and step-up.
 *
 * 1. An attempt is counted before its check, so that parallel guesses count too. A valid proof is not counted.
 * 2. One-time passwords and recovery codes share one counter for known browsers and one for other browsers. A known
 * browser has signed in before. The store also counts consecutive failures (`code-tries.rules.ts`, FACTOR-11).
 * 3. Passkeys cannot be guessed, so they are not counted. Wrong codes therefore never delay a passkey.
 * 4. The change that accepts a code also marks the code as used.
 */
import type { Account } from "../../model/account.rules.ts"
import type { FactorId } from "../../kernel/ids.ts"
import { decided } from "../../model/change.rules.ts"
import { areCodesClosed, decideCountedCode, decideCountedPasskey } from "./code-tries.rules.ts"
import { type Proven, refusedProof, type ProofTry } from "./factor-proof.rules.ts"
import { acceptedProofs, type Factor, type ProofKind, type Purpose } from "../../model/factor.rules.ts"
import { FACTOR_CODE_TRIES, PASSWORD_TRIES } from "../../kernel/account-limits.ts"
import { rightSteps, stepsAround } from "./one-time-password.rules.ts"
import { parseTypedCode, type TypedCode } from "./typed-code.rules.ts"
import { guessingEvents } from "../guessing.rules.ts"
import type { Counter } from "../../store/limits.ts"
import { digest } from "../../kernel/hash.ts"
import { checkCounted } from "../../platform/services/counted-attempt.ts"
import { knownPlace, verifyPassword } from "../../platform/services/password.ts"
import { factorsOf } from "./factor.ts"
import type { Services } from "../../platform/services/services.ts"
import { readAssertion } from "./passkey.ts"
import type { PasskeyAnswer } from "./passkey-challenge.ts"
import { recoveryHash } from "./recovery.ts"
import { codesAt, openTotpSecret } from "./totp.ts"

type Needs = Pick<Services, "store" | "keys" | "clock" | "guesses" | "issuer">

export type FactorProof =
  /** A one-time password or a recovery code, as typed. */
  | { readonly proof: "code"; readonly code: string }
  | ({ readonly proof: "passkey" } & PasskeyAnswer)
  | { readonly proof: "password"; readonly password: string }

type ProofAttempt = {
  readonly purpose: Purpose
  /** The value of the browser cookie. */
  readonly browserSecret: string
  readonly address: string
}

export type ProofAnswer =
  | { readonly outcome: "right"; readonly by: ProofKind }
  | { readonly outcome: "wrong" }
  | { readonly outcome: "wait"; readonly seconds: number }
  /** The account accepts codes from known browsers only. */
  | { readonly outcome: "closed" }

/** Checks a proof against the factors that the purpose allows. A proof of another kind is wrong. */
export function proveFactor(
  services: Needs,
  account: Account,
  proof: FactorProof,
  from: ProofAttempt,
): Promise<ProofAnswer> {
  switch (proof.proof) {
    case "code":
      return proveCountedCode(services, account, proof.code, from)
    case "passkey":
      return provePasskey(services, account, proof, from).then(answered)
    case "password":
      return proveCountedPassword(services, account, proof.password, from)
  }
}

async function proveCountedCode(
  services: Needs,
  account: Account,
  typed: string,
  from: ProofAttempt,
): Promise<ProofAnswer> {
  const browser = { browserHash: digest(from.browserSecret), userId: account.userId }
  const { knownBrowser, codeTries } = await services.store.read({
    knownBrowser: browser,
    codeTries: account.userId,
  })
  if (knownBrowser === null && areCodesClosed(codeTries)) return { outcome: "closed" }
  const key = `factor code:${account.userId}${knownBrowser === null ? "" : ` ${browser.browserHash}`}`
  return counted(services, { key, limit: FACTOR_CODE_TRIES }, () => proveCode(services, account, typed, from))
}

function proveCountedPassword(
  services: Needs,
  account: Account,
  password: string,
  from: ProofAttempt,
): Promise<ProofAnswer> {
  const { userId } = account
  const { address } = from
  const limit = PASSWORD_TRIES.account
  return counted(services, { key: `factor password:${userId}`, limit }, async (count) => {
    const proven = await provePassword(services, account, password, from)
    if (proven !== null) return proven
    const { store, clock } = services
    const series = guessingEvents([{ limit, count, userId }], { now: clock.now(), address })
    if (series.length > 0) await store.change({}, () => decided(undefined, ...series))
    return null
  })
}

async function counted(
  { guesses }: Needs,
  counter: Counter,
  check: (count: number | undefined) => Promise<Proven | "closed">,
): Promise<ProofAnswer> {
  const spent = await guesses.spendAll([counter])
  if (!spent.admitted) return { outcome: "wait", seconds: spent.retryAfterSeconds }
  const proven = await checkCounted(spent, () => check(spent.counts[0]))
  if (proven !== null) await spent.giveBack()
  return answered(proven)
}

function answered(proven: Proven | "closed"): ProofAnswer {
  if (proven === "closed") return { outcome: "closed" }
  return proven === null ? { outcome: "wrong" } : { outcome: "right", by: proven }
}

async function proveCode(
  services: Needs,
  { userId }: Account,
  typed: string,
  { purpose, address, browserSecret }: ProofAttempt,
): Promise<Proven | "closed"> {
  const { store, clock } = services
  const now = clock.now()
  const code = parseTypedCode(typed)
  const steps = stepsOf(services, await factorsOf(services, userId), code, now)
  const presented = { steps, recoveryHash: code?.kind === "recovery" ? recoveryHash(code.letters) : null }
  const load = {
    account: userId,
    factors: userId,
    codeTries: userId,
    knownBrowser: { browserHash: digest(browserSecret), userId },
  } as const
  return store.change(load, ({ account, factors, codeTries, knownBrowser }) => {
    if (account?.enabled !== true) return decided<Proven | "closed">(null)
    const attempt = { userId, factors: factors ?? [], purpose, now, address }
    const counts = { attempt, tries: codeTries, isKnownBrowser: knownBrowser !== null }
    return decideCountedCode(counts, presented)
  })
}

function stepsOf(
  { keys }: Needs,
  factors: readonly Factor[],
  code: TypedCode | null,
  now: number,
): ReadonlyMap<FactorId, readonly number[]> {
  const around = stepsAround(now)
  const found = new Map<FactorId, readonly number[]>()
  if (code?.kind !== "totp") return found
  for (const factor of factors) {
    if (factor.kind !== "totp") continue
    found.set(factor.factorId, rightSteps(codesAt(openTotpSecret(keys, factor), around), code.digits))
  }
  return found
}

async function provePasskey(
  services: Needs,
  account: Account,
  answer: PasskeyAnswer,
  { purpose, browserSecret, address }: ProofAttempt,
): Promise<Proven> {
  const { store, clock } = services
  const { userId } = account
  const read = await readAssertion(services, answer, browserSecret, account)
  const now = clock.now()
  const spentTicket = read?.asserted.ticketId ?? null
  const load = { account: userId, factors: userId, codeTries: userId, spentTicket } as const
  return store.change(load, ({ account: present, factors, codeTries, spentTicket: spent }) => {
    if (present?.enabled !== true) return decided<Proven>(null)
    const attempt: ProofTry = { userId, factors: factors ?? [], purpose, now, address }
    // A malformed passkey response does not count as an attempt, so nothing is stored.
    return read === null
      ? decided<Proven>(null)
      : decideCountedPasskey(attempt, read.asserted, spent !== null, codeTries)
  })
}

/** Checks a password. It is a valid proof only if no stronger factor is enrolled. */
async function provePassword(
  services: Needs,
  { userId, usernameKey, passwordHash }: Account,
  password: string,
  { purpose, address }: ProofAttempt,
): Promise<Proven> {
  const { store, clock } = services
  const isRight = await verifyPassword(password, passwordHash, knownPlace(usernameKey))
  const now = clock.now()
  return store.change({ account: userId, factors: userId }, ({ account, factors }) => {
    const attempt: ProofTry = { userId, factors: factors ?? [], purpose, now, address }
    const isStill = account?.enabled === true && account.passwordHash === passwordHash
    return isRight && isStill && acceptedProofs(attempt.factors, purpose).has("password")
      ? decided<Proven>("password")
      : refusedProof(attempt, "password")
  })
}
