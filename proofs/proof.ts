/** What a proof is: something the service promises, tried for long, with a seed that repeats a failure. */
import type { Engine } from "../test/support/database.ts"

export type Attempt = {
  /** The same seed makes the same choices; what runs in parallel may still fall in another order. */
  readonly seed: number
  /** 1 is the whole length, what `npm run prove` runs; `npm test` takes a small part of it. */
  readonly scale: number
  readonly engine: Engine
  /** An empty directory that goes afterwards. */
  readonly work: string
  /** Tells how far it is: one short line. */
  readonly say: (line: string) => void
}

/** What was counted and measured, by names that a reader understands: `"requests": 1000000`. */
export type Figures = Readonly<Record<string, number | string>>

export type Proof = {
  /** One word, for `--only`. */
  readonly name: string
  /** The promise, in one sentence. */
  readonly promise: string
  readonly engines: readonly Engine[]
  /** Rejects where the promise does not hold: the message says what was seen. Answers only what it counted. */
  readonly prove: (attempt: Attempt) => Promise<Figures>
}

/** At least one of `whole`, however small the part. */
export function part(attempt: Attempt, whole: number): number {
  return Math.max(1, Math.round(whole * attempt.scale))
}

/** A promise that does not hold, with the figures that were measured all the same. */
export class Broken extends Error {
  readonly figures: Figures

  constructor(problems: readonly string[], figures: Figures) {
    super(problems.join("; "))
    this.figures = figures
  }
}
