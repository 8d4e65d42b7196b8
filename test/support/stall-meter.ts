/** How long something takes beside what a busy machine takes from this process, where a test bounds the service's own time. */
import type { Span } from "./spawn.ts"

const TICK_MILLISECONDS = 20

export class StallMeter {
  #tickAt = performance.now()
  #sum = 0

  /** Looks for as long as `span` lasts. */
  constructor(span: Span) {
    const timer = setInterval(() => this.#look(), TICK_MILLISECONDS).unref()
    span.after(() => clearInterval(timer))
  }

  /** Answers how many milliseconds have passed since, but for those in which this process stood still. */
  stopwatch(): () => number {
    this.#look()
    const [begun, before] = [performance.now(), this.#sum]
    return () => {
      this.#look()
      return performance.now() - begun - (this.#sum - before)
    }
  }

  /** A timer that comes late has waited for a processor, or for what the process did meanwhile. */
  #look(): void {
    const now = performance.now()
    this.#sum += Math.max(0, now - this.#tickAt - TICK_MILLISECONDS)
    this.#tickAt = now
  }
}
