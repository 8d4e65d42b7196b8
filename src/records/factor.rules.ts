/**
 * The factors of an account besides its password: FACTOR-1…FACTOR-9.
 *
 * One-time passwords (RFC 6238) and passkeys (WebAuthn) are second factors. Recovery codes stand in for one that is
 * lost: they exist beside a second factor only.
 */
import type { Proof } from "./account.rules.ts"
import type { FactorId, Hash, UserId } from "../kernel/ids.ts"
import { FACTOR_NAME_LENGTH_AT_MOST, FRESH_PROOF_SECONDS } from "../kernel/limits.ts"
import { type Problem, type Result, err, ok } from "../kernel/result.ts"
import { isWithin } from "../kernel/time.ts"
import { codePointCount, isVisibleText } from "../kernel/visible-text.ts"

export type Factor = Totp | Passkey | Recovery

type Enrolled = {
  readonly factorId: FactorId
  readonly userId: UserId
  /** What its owner calls it. */
  readonly name: string
  readonly addedAt: number
  readonly usedAt: number | null
}

export type Totp = Enrolled & {
  readonly kind: "totp"
  /** Sealed under a key of the service secret: a stolen database is not enough to compute codes. */
  readonly sealedSecret: string
  /** The last time step whose code was accepted; no code of it or of an earlier one is accepted again. */
  readonly usedStep: number
}

export type Passkey = Enrolled & {
  readonly kind: "passkey"
  /** As the authenticator names it, base64url. */
  readonly credentialId: string
  /** COSE key, base64url. */
  readonly publicKey: string
  /** The authenticator's use counter; zero for those without one. */
  readonly counter: number
  readonly transports: readonly string[]
  readonly isBackedUp: boolean
}

export type Recovery = Enrolled & {
  readonly kind: "recovery"
  /** Digests of the codes that are left. */
  readonly codes: readonly Hash[]
}

/** A factor that can stand beside the password. */
export type SecondFactor = Totp | Passkey

export function isSecondFactor(factor: Factor): factor is SecondFactor {
  return factor.kind !== "recovery"
}

/** Whether the account has a second factor. If so, its password alone is never enough. */
export function needsSecondFactor(factors: readonly Factor[]): boolean {
  return factors.some(isSecondFactor)
}

/** The purpose of a proof. A step-up (STEP-2) needs the second factor itself, not a recovery code. */
export type Purpose = "sign-in" | "fresh-proof" | "step-up"

export type ProofKind = "password" | Factor["kind"]

/** FACTOR-3: what an account may prove itself with; the password only where no second factor is enrolled. */
export function acceptedProofs(factors: readonly Factor[], purpose: Purpose): ReadonlySet<ProofKind> {
  if (!needsSecondFactor(factors)) return new Set(["password"])
  return new Set(factors.filter((factor) => mayServe(factor, purpose)).map(({ kind }) => kind))
}

function mayServe(factor: Factor, purpose: Purpose): boolean {
  return isSecondFactor(factor) || (purpose !== "step-up" && factor.codes.length > 0)
}

/** The strength of a proof, as a session keeps it. */
export function strengthOf(kind: ProofKind): Proof["by"] {
  return kind === "password" ? "password" : "second-factor"
}

/** FACTOR-8: whether the strongest thing that the account has was proven within the last five minutes. */
export function isFreshProof(proof: Proof | null, factors: readonly Factor[], now: number): boolean {
  if (proof === null || !isWithin(proof.at, now, FRESH_PROOF_SECONDS)) return false
  return proof.by === "second-factor" || !needsSecondFactor(factors)
}

/** A name for a factor; `otherwise` where nothing was typed. */
export function parseFactorName(text: string, otherwise: string): Result<string, Problem> {
  const name = text.trim()
  if (name === "") return ok(otherwise)
  if (codePointCount(name) > FACTOR_NAME_LENGTH_AT_MOST)
    return err(`The name has more than ${FACTOR_NAME_LENGTH_AT_MOST} characters.`)
  return isVisibleText(name) ? ok(name) : err("The name has characters that cannot be seen.")
}
