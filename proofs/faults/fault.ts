/** What a fault is: something that goes wrong around the service, brought about for real. One a file. */
import type { Engine } from "../../test/support/database.ts"
import type { Span } from "../../test/support/spawn.ts"
import type { Choice } from "../choice.ts"

export type Attempted = {
  readonly engine: Engine
  /** An empty directory that goes afterwards. */
  readonly work: string
  /** What is opened ends with it. */
  readonly span: Span
  readonly choice: Choice
  /** How often the fault is caused, in turn in each of its kinds. */
  readonly times: number
  readonly say: (line: string) => void
}

export type Fault = {
  /** As the figures call it. */
  readonly name: string
  /** The rows of docs/interface.md that it threatens. */
  readonly rows: string
  readonly engines: readonly Engine[]
  /** How often at the whole length of the proof. */
  readonly times: number
  /** How often in `npm test`; 0 leaves it to the proof. */
  readonly slice: number
  /** Why it cannot be brought about here; null where it can. */
  readonly missing: () => string | null
  /** Rejects where the service breaks a promise. Answers how often the fault was there. */
  readonly bringAbout: (run: Attempted) => Promise<number>
}

export const always = () => null
