/** A proof tests for a long time something that the service promises. A seed repeats a failure. */
import type { Engine } from "../test/support/database.ts"

export type Attempt = {
  /** The same seed makes the same choices. Concurrent actions may still run in another order. */
  readonly seed: number
  /** 1 is the whole length, which `npm run prove` runs. `npm test` runs a small part. */
  readonly scale: number
  readonly engine: Engine
  /** An empty directory that is removed afterwards. */
  readonly work: string
  /** Reports progress as one short line. */
  readonly say: (line: string) => void
}

/** What was counted and measured, with names that a reader understands, such as `"requests": 1000000`. */
export type Figures = Readonly<Record<string, number | string>>

export type Proof = {
  /** The name of the proof, one word for `--only`. */
  readonly name: string
  /** The promise as one sentence. */
  readonly promise: string
  readonly engines: readonly Engine[]
  /** Rejects if the promise does not hold, with a message that says what was observed. Returns what it counted. */
  readonly prove: (attempt: Attempt) => Promise<Figures>
}

/** Returns a part of `whole`, which is at least one. */
export function part(attempt: Attempt, whole: number): number {
  return Math.max(1, Math.round(whole * attempt.scale))
}

/** A promise that does not hold, together with the results that were still measured. */
export class Broken extends Error {
  readonly figures: Figures

  constructor(problems: readonly string[], figures: Figures) {
    super(problems.join("; "))
    this.figures = figures
  }
}
