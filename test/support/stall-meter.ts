/**
 * Measures durations without the time that a busy machine takes from this process. Tests use it to bound the service's
 * own time.
 */
import type { Span } from "./spawn.ts"

const TICK_MILLISECONDS = 20

export class StallMeter {
  #tickAt = performance.now()
  #sum = 0

  /** Measures until `span` ends. */
  constructor(span: Span) {
    const timer = setInterval(() => this.#look(), TICK_MILLISECONDS).unref()
    span.after(() => clearInterval(timer))
  }

  /**
   * Returns a function that returns the elapsed milliseconds. Time in which this process stood still does not count.
   */
  stopwatch(): () => number {
    this.#look()
    const [begun, before] = [performance.now(), this.#sum]
    return () => {
      this.#look()
      return performance.now() - begun - (this.#sum - before)
    }
  }

  /** If a timer is late, it waited for a processor or for the work of this process. */
  #look(): void {
    const now = performance.now()
    this.#sum += Math.max(0, now - this.#tickAt - TICK_MILLISECONDS)
    this.#tickAt = now
  }
}
