/**
 * Sends a few requests directly to the database from time to time. If they also take long, the machine is busy, and the
 * service is not at fault.
 */
import type { TestDatabase } from "../../test/support/database.ts"
import type { Span } from "../../test/support/spawn.ts"

/** The times come from `Date.now()`. */
export type Period = { readonly from: number; readonly to: number }

const EVERY_MILLISECONDS = 250
/**
 * A new connection and its first answer take about 10 ms. The service treats the server as unavailable if neither
 * arrives within 900 ms. If the machine is the cause, this process also waits for at least half of that time.
 */
const SLOW_MILLISECONDS = 450

export class Probe {
  readonly slow: Period[] = []
  slowest = 0
  #isOver = false

  /** Sends requests until `span` ends. */
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
      // If this timer is late, this process waited for a processor.
      await new Promise((resolve) => setTimeout(resolve, EVERY_MILLISECONDS))
      const took = Date.now() - from - EVERY_MILLISECONDS
      this.slowest = Math.max(this.slowest, took)
      if (took > SLOW_MILLISECONDS) this.slow.push({ from, to: Date.now() })
    }
  }
}
