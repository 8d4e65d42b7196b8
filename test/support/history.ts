/**
 * Random histories of what apps, people and administrators do. A step has a kind, and numbers that choose among what
 * exists at that time. A seed repeats a history, and fast-check shrinks one that fails.
 */
import fc from "fast-check"

export type StepKind =
  | "authorize"
  /** Signs in at an app that remembers a consent. */
  | "come back"
  | "ask again"
  | "answer"
  | "exchange"
  | "refresh"
  | "revoke"
  | "introspect"
  | "call"
  | "ask for a device"
  | "open a code"
  | "poll"
  | "step up"
  | "change account"
  | "change app"
  | "change groups"
  | "wait"
  /** Waits until shortly before or after the end of something. */
  | "until"
  | "rotate a key"
  | "restart"

/** `of` chooses among things, `which` among their parts, and `how` among unusual variants. */
export type Step<K extends StepKind = StepKind> = {
  readonly kind: K
  readonly of: number
  readonly which: number
  readonly how: number
}

export const choice = fc.noBias(fc.nat(9999))

/** Generates steps. The frequency of each kind follows its weight. */
export function stepOf<K extends StepKind>(weights: Readonly<Record<K, number>>): fc.Arbitrary<Step<K>> {
  const kinds = (Object.keys(weights) as K[]).flatMap((kind) => Array<K>(weights[kind]).fill(kind))
  return fc.record({ kind: fc.constantFrom(...kinds), of: choice, which: choice, how: choice })
}

export function historyOf<T>(
  step: fc.Arbitrary<T>,
  length: { readonly minLength?: number; readonly maxLength: number },
): fc.Arbitrary<T[]> {
  return fc.noBias(fc.array(step, { ...length, size: "max" }))
}

export function pick<T>(all: readonly T[], number: number): T | undefined {
  return all[number % Math.max(1, all.length)]
}

/** Returns an entry, usually one of the newest. */
export function pickLate<T>(all: readonly T[], number: number): T | undefined {
  return pick(number % 5 === 0 ? all : all.slice(-3), Math.floor(number / 5))
}
