/** Decides a proof of a factor: FACTOR-3…FACTOR-6. The change that accepts a code also marks the code as used. */
import type { FactorId, Hash, TokenId, UserId } from "../../kernel/ids.ts"
import { type Change, type Decided, decided, eventRecorded } from "../../model/change.rules.ts"
import { sameHash } from "../../kernel/constant-time.ts"
import {
  acceptedProofs,
  type Factor,
  type Passkey,
  type ProofKind,
  type Purpose,
} from "../../model/factor.rules.ts"
import { newStep } from "./one-time-password.rules.ts"

export type ProofTry = {
  readonly userId: UserId
  readonly factors: readonly Factor[]
  readonly purpose: Purpose
  readonly now: number
  readonly address: string
}

export type CodePresented = {
  /** The time steps with a matching code, by one-time password factor. */
  readonly steps: ReadonlyMap<FactorId, readonly number[]>
  /** The digest of the input, if it has the form of a recovery code. */
  readonly recoveryHash: Hash | null
}

/** The kind of the factor that was proven. It is null if the proof failed. */
export type Proven = ProofKind | null

export function decideCode(attempt: ProofTry, code: CodePresented): Decided<Proven> {
  const accepted = acceptedProofs(attempt.factors, attempt.purpose)
  for (const factor of attempt.factors) {
    const used = accepted.has(factor.kind) ? usedBy(factor, code, attempt.now) : null
    if (used === null) continue
    const changed: Change = { change: "factorChanged", factor: used }
    return used.kind === "recovery"
      ? decided<Proven>(used.kind, changed, recoveryCodeUsed(attempt, used.codes.length))
      : decided<Proven>(used.kind, changed)
  }
  return refusedProof(attempt, "code")
}

/** Returns the factor with the code marked as used. Returns null if the code is not one of the factor's codes. */
function usedBy(factor: Factor, { steps, recoveryHash }: CodePresented, now: number): Factor | null {
  switch (factor.kind) {
    case "totp": {
      const step = newStep(steps.get(factor.factorId) ?? [], factor.usedStep)
      return step === null ? null : { ...factor, usedStep: step, usedAt: now }
    }
    case "recovery": {
      if (recoveryHash === null) return null
      const codes = factor.codes.filter((code) => !sameHash(code, recoveryHash))
      return codes.length === factor.codes.length ? null : { ...factor, codes, usedAt: now }
    }
    case "passkey":
      return null
  }
}

/** The data that an authenticator signed, after a check of the signature. */
export type Assertion = {
  readonly factorId: FactorId
  /** The ticket of the challenge, which works once. */
  readonly ticketId: TokenId
  readonly counter: number
  readonly isBackedUp: boolean
}

export function decidePasskey(attempt: ProofTry, asserted: Assertion, isSpent: boolean): Decided<Proven> {
  const { factors, purpose, now } = attempt
  const factor = factors.find(
    (one): one is Passkey => one.kind === "passkey" && one.factorId === asserted.factorId,
  )
  if (isSpent || factor === undefined || !acceptedProofs(factors, purpose).has("passkey"))
    return refusedProof(attempt, "passkey")
  if (!isForward(factor.counter, asserted.counter))
    return refusedProof(attempt, "passkey: its count went back")
  const { counter, isBackedUp, ticketId } = asserted
  return decided<Proven>(
    "passkey",
    { change: "factorChanged", factor: { ...factor, counter, isBackedUp, usedAt: now } },
    { change: "ticketSpent", ticketId, at: now },
  )
}

/** WebAuthn §6.1.1: a counter that does not grow indicates a copy. Some authenticators always send zero. */
export function isForward(stored: number, presented: number): boolean {
  return presented > stored || (presented === 0 && stored === 0)
}

/** Refuses a proof and records the refusal. `what` describes the proof in the audit trail. */
export function refusedProof({ userId, now, address }: ProofTry, what: string): Decided<Proven> {
  return decided<Proven>(null, eventRecorded("factor-refused", now, { userId, address, detail: what }))
}

function recoveryCodeUsed({ userId, now, address }: ProofTry, left: number): Change {
  return eventRecorded("recovery-code-used", now, { userId, address, detail: `${left} left` })
}
