/**
 * The clock of an open loop. Requests are due at a fixed rate, whether earlier ones were answered or not. A request that
 * finds no free connection waits, and its latency begins when it was due.
 */
import { setImmediate as turn } from "node:timers/promises"

const START_MILLISECONDS = 100

export class Pace {
  readonly #every: number
  /** When the next request is due. The connections open before the first one. */
  #due = performance.now() + START_MILLISECONDS
  /** The connections without a request. The one that has waited longest is first. */
  readonly #free: (() => void)[] = []

  constructor(rate: number) {
    this.#every = 1000 / rate
  }

  /** Returns when a request that is due now was due. Without one, returns null, and calls `wake` when there is one. */
  take(wake: () => void): number | null {
    const due = this.#due
    if (due > performance.now()) {
      this.#free.push(wake)
      return null
    }
    this.#due += this.#every
    return due
  }

  /** Wakes connections while `goesOn`. A timer would be late by up to a millisecond, so the clock is read all the time. */
  async run(goesOn: () => boolean): Promise<void> {
    while (goesOn()) {
      while (this.#free.length > 0 && this.#due <= performance.now() && goesOn()) this.#free.shift()?.()
      await turn()
    }
  }
}
