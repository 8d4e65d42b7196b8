/**
 * The factors of an account besides its password: FACTOR-1…FACTOR-9.
 *
 * One-time passwords (RFC 6238) and passkeys (WebAuthn) are second factors. Recovery codes replace a lost second
 * factor. An account has them only if it has a second factor.
 */
import { type Account, hasPassword, type Proof } from "./account.rules.ts"
import type { FactorId, Hash, UserId } from "../kernel/ids.ts"
import { FACTOR_NAME_LENGTH_AT_MOST, FRESH_PROOF_SECONDS } from "../kernel/account-limits.ts"
import { type Result, err, ok } from "../kernel/result.ts"
import { isWithin } from "../kernel/time.ts"
import { codePointCount, isVisibleText } from "../kernel/visible-text.ts"

export type Factor = Totp | Passkey | Recovery

type Enrolled = {
  readonly factorId: FactorId
  readonly userId: UserId
  readonly name: string
  readonly addedAt: number
  readonly usedAt: number | null
}

export type Totp = Enrolled & {
  readonly kind: "totp"
  /** The secret is encrypted with a key of the service, so that a stolen database does not reveal codes. */
  readonly sealedSecret: string
  /** The time step of the last accepted code. Codes of this step and earlier steps are refused. */
  readonly usedStep: number
}

export type Passkey = Enrolled & {
  readonly kind: "passkey"
  /** The credential id of the authenticator in base64url. */
  readonly credentialId: string
  /** The public key in COSE form, in base64url. */
  readonly publicKey: string
  /** The signature counter of the authenticator. An authenticator without a counter has zero. */
  readonly counter: number
  readonly transports: readonly string[]
  readonly isBackedUp: boolean
}

export type Recovery = Enrolled & {
  readonly kind: "recovery"
  /** The digests of the unused codes. */
  readonly codes: readonly Hash[]
}

export type SecondFactor = Totp | Passkey

export function isSecondFactor(factor: Factor): factor is SecondFactor {
  return factor.kind !== "recovery"
}

/** Whether the account has a second factor. Its password alone is then never enough. */
export function needsSecondFactor(factors: readonly Factor[]): boolean {
  return factors.some(isSecondFactor)
}

/** The number of one-time passwords and recovery codes of an account that failed in a row. FACTOR-11. */
export type CodeTries = {
  readonly userId: UserId
  /** The failures in a row from browsers that have never signed in to this account. */
  readonly unknownFailures: number
  /** The failures in a row from browsers that have signed in to this account before. */
  readonly knownFailures: number
}

/** The purpose of a proof. A step-up (STEP-2) refuses recovery codes. */
export type Purpose = "sign-in" | "fresh-proof" | "step-up"

export type ProofKind = "password" | Factor["kind"]

/** A password counts only without a second factor (FACTOR-3), and not if the given `account` has none. */
export function acceptedProofs(
  factors: readonly Factor[],
  purpose: Purpose,
  account: Account | null = null,
): ReadonlySet<ProofKind> {
  if (!needsSecondFactor(factors))
    return new Set(account === null || hasPassword(account) ? (["password"] as const) : [])
  return new Set(factors.filter((factor) => mayServe(factor, purpose)).map(({ kind }) => kind))
}

function mayServe(factor: Factor, purpose: Purpose): boolean {
  return isSecondFactor(factor) || (purpose !== "step-up" && factor.codes.length > 0)
}

export function strengthOf(kind: ProofKind): Proof["by"] {
  return kind === "password" ? "password" : "second-factor"
}

/**
 * Returns the methods of a proof (RFC 8176 §2). The passkey that was used last has proven it. One that is backed up is
 * not bound to its device.
 */
export function methodsOf(kind: ProofKind, factors: readonly Factor[]): readonly string[] {
  if (kind !== "passkey") return [kind === "password" ? "pwd" : "otp"]
  const passkeys = factors.filter((factor) => factor.kind === "passkey")
  const [last] = passkeys.toSorted((a, b) => (b.usedAt ?? b.addedAt) - (a.usedAt ?? a.addedAt))
  return [last?.isBackedUp === true ? "swk" : "hwk", "user"]
}

/** Whether the account's strongest factor was proven within the last five minutes. FACTOR-8. */
export function isFreshProof(proof: Proof | null, factors: readonly Factor[], now: number): boolean {
  if (proof === null || !isWithin(proof.at, now, FRESH_PROOF_SECONDS)) return false
  return proof.by === "second-factor" || !needsSecondFactor(factors)
}

/** The stored name of a factor that its owner did not name. Pages have it in their language. */
export const defaultFactorNames = {
  totp: "Authenticator app",
  passkey: "Passkey",
  recovery: "Recovery codes",
} as const satisfies Record<Factor["kind"], string>

export type FactorNameProblem = "too-long" | "unseen"

/** Parses the name of a factor. If the text is empty, the name is `otherwise`. */
export function parseFactorName(text: string, otherwise: string): Result<string, FactorNameProblem> {
  const name = text.trim()
  if (name === "") return ok(otherwise)
  if (codePointCount(name) > FACTOR_NAME_LENGTH_AT_MOST) return err("too-long")
  return isVisibleText(name) ? ok(name) : err("unseen")
}
