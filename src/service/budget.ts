/**
 * Windows in memory: the shared anonymous budget, and the counters that slow guessing down. Exact, because a look and
 * its count are one synchronous step. One process serves an embedded database, so its memory is the whole truth.
 */
import { admit, type Admission, type Budget as Limit, type Window } from "../core/rate-limit.ts"
import type { Clock } from "../system/clock.ts"

/** More addresses than this at once: the ones that began longest ago are forgotten. */
const WINDOWS_AT_MOST = 100_000

export type SpentAll =
  | { readonly admitted: true; readonly giveBack: () => void }
  | { readonly admitted: false; readonly retryAfterSeconds: number }

export class Budget {
  readonly #clock: Clock
  readonly #windows = new Map<string, Window>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Counts one against `key` where the limit allows it. A refusal neither counts nor prolongs the window. */
  spend(key: string, limit: Limit): Admission {
    const admission = admit(this.#windows.get(key), limit, this.#clock.monotonic())
    if (admission.admitted) this.#keep(key, admission.window)
    return admission
  }

  /** Counts one against each key, or against none where any of them refuses. `giveBack` takes all back. */
  spendAll(counters: readonly { readonly key: string; readonly limit: Limit }[]): SpentAll {
    const spent: string[] = []
    const giveBack = () => {
      for (const key of spent) this.giveBack(key)
    }
    for (const { key, limit } of counters) {
      const admission = this.spend(key, limit)
      if (!admission.admitted) {
        giveBack()
        return admission
      }
      spent.push(key)
    }
    return { admitted: true, giveBack }
  }

  /** Takes back one that `spend` counted: a try that turned out to be right. */
  giveBack(key: string): void {
    const window = this.#windows.get(key)
    if (window === undefined) return
    if (window.admitted <= 1) this.#windows.delete(key)
    else this.#windows.set(key, { ...window, admitted: window.admitted - 1 })
  }

  #keep(key: string, window: Window): void {
    if (window.admitted === 1) this.#windows.delete(key)
    this.#windows.set(key, window)
    if (this.#windows.size > WINDOWS_AT_MOST) this.#forgetOldest()
  }

  #forgetOldest(): void {
    for (const key of this.#windows.keys()) {
      this.#windows.delete(key)
      return
    }
  }
}
