/** Time steps of one-time passwords: RFC 6238 §4 and §5.2. The caller computes the codes. */
import { sameCharacters } from "../../kernel/constant-time.ts"
import { OTP_STEP_SECONDS, OTP_STEPS_AROUND } from "../../kernel/account-limits.ts"

export type StepCode = { readonly step: number; readonly code: string }

/** The time steps whose codes are valid at `now`: the current step and its neighbors, because clocks differ. */
export function stepsAround(now: number): readonly number[] {
  const present = Math.floor(now / OTP_STEP_SECONDS)
  const steps: number[] = []
  for (let step = present - OTP_STEPS_AROUND; step <= present + OTP_STEPS_AROUND; step++) steps.push(step)
  return steps
}

/** Returns the time steps whose code is `typed`. Compares all codes in constant time. */
export function rightSteps(codes: readonly StepCode[], typed: string): readonly number[] {
  const right: number[] = []
  for (const { step, code } of codes) if (sameCharacters(code, typed)) right.push(step)
  return right
}

/** RFC 6238 §5.2: each code works once. Returns the first matching step after the last used step, or null. */
export function newStep(right: readonly number[], usedStep: number): number | null {
  return right.find((step) => step > usedStep) ?? null
}
