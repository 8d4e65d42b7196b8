/**
 * Asks the database itself, a little now and then: where that takes long as well, it is the machine that has no time, and
 * not the service.
 */
import type { TestDatabase } from "../../test/support/database.ts"
import type { Span } from "../../test/support/spawn.ts"

/** In milliseconds of `Date.now()`. */
export type Period = { readonly from: number; readonly to: number }

const EVERY_MILLISECONDS = 250
/**
 * A new connection and its first answer take some 10 ms. The service takes the server for gone where both have not come
 * within 900 ms: a process that shares the processors has waited for at least half of that.
 */
const SLOW_MILLISECONDS = 450

export class Probe {
  readonly slow: Period[] = []
  slowest = 0
  #isOver = false

  /** Looks for as long as `span` lasts. */
  constructor(span: Span, database: TestDatabase) {
    const looking = this.#look(database)
    span.after(async () => {
      this.#isOver = true
      await looking
    })
  }

  async #look(database: TestDatabase): Promise<void> {
    while (!this.#isOver) {
      const from = Date.now()
      await database.rows("SELECT 1 AS one").catch(() => [])
      // What this process itself waited for a timer, it waited for a processor.
      await new Promise((resolve) => setTimeout(resolve, EVERY_MILLISECONDS))
      const took = Date.now() - from - EVERY_MILLISECONDS
      this.slowest = Math.max(this.slowest, took)
      if (took > SLOW_MILLISECONDS) this.slow.push({ from, to: Date.now() })
    }
  }
}
