/** A fault is something that goes wrong around the service. A proof causes it for real. Each fault has its own file. */
import type { Engine } from "../../test/support/database.ts"
import type { Span } from "../../test/support/spawn.ts"
import type { Choice } from "../choice.ts"

export type Attempted = {
  readonly engine: Engine
  /** An empty directory that is removed afterwards. */
  readonly work: string
  /** Everything that is opened ends with this span. */
  readonly span: Span
  readonly choice: Choice
  /** The number of times that the fault is caused. Its kinds take turns. */
  readonly times: number
  readonly say: (line: string) => void
}

export type Fault = {
  /** The name of the fault in the results. */
  readonly name: string
  /** The rows of docs/interface.md that the fault threatens. */
  readonly rows: string
  readonly engines: readonly Engine[]
  /** The number of times in the whole proof. */
  readonly times: number
  /** The number of times in `npm test`. With 0, only the proof causes the fault. */
  readonly slice: number
  /** Returns why the fault cannot be caused on this machine. Returns null if it can. */
  readonly missing: () => string | null
  /** Causes the fault. Rejects if the service breaks a promise. Returns how often the fault was caused. */
  readonly bringAbout: (run: Attempted) => Promise<number>
}

export const always = () => null
