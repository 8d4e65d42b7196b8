/**
 * Rate limit windows in memory, for anonymous endpoints and against guessing. The counts are exact, because one
 * synchronous step checks and counts. With an embedded database, there is only one process, so memory is enough. Nodes
 * on PostgreSQL count in the database (src/store/postgres/limits/windows.ts).
 */
import { admit, type Admission, type Budget as Limit, kindOf, type Window } from "../../kernel/rate-limit.ts"
import type { Counter, Spent, Windows } from "../../store/limits.ts"
import type { Clock } from "../../kernel/clock.ts"
import { detachString } from "../../kernel/detach-string.ts"

/** Above this number, the oldest windows are deleted. */
const WINDOWS_AT_MOST = 100_000
/** The same for each kind of counter against guessing. */
const WINDOWS_OF_A_KIND_AT_MOST = 10_000
/** As many windows are deleted at once. Gaps at the front of the map would slow every search. */
const FORGOTTEN_TOGETHER = 1_000

type SpentInMemory =
  | {
      readonly admitted: true
      readonly counts: readonly number[]
      readonly spent: readonly Spent[]
      readonly giveBack: () => void
    }
  | { readonly admitted: false; readonly retryAfterSeconds: number }

export class Budget implements Pick<Windows, "spend" | "giveBack" | "forget"> {
  readonly #clock: Pick<Clock, "monotonic">
  readonly #atMost: number
  readonly #windows = new Map<string, Window>()

  constructor(clock: Pick<Clock, "monotonic">, atMost = WINDOWS_AT_MOST) {
    this.#clock = clock
    this.#atMost = atMost
  }

  spend(key: string, limit: Limit): Admission {
    const admission = admit(this.#windows.get(key), limit, this.#clock.monotonic())
    if (admission.admitted) this.#keep(key, admission.window)
    return admission
  }

  giveBack(spent: readonly Spent[]): void {
    for (const { key, startedMs } of spent) this.#giveBack(key, startedMs)
  }

  forget(prefix: string): void {
    for (const key of this.#windows.keys()) if (key.startsWith(prefix)) this.#windows.delete(key)
  }

  /** Takes back a counted request, unless a new window has started since then. */
  #giveBack(key: string, startedMs: number): void {
    const window = this.#windows.get(key)
    if (window?.startedMs !== startedMs) return
    if (window.admitted <= 1) this.#windows.delete(key)
    else this.#windows.set(key, { ...window, admitted: window.admitted - 1 })
  }

  #keep(key: string, window: Window): void {
    if (window.admitted > 1) {
      this.#windows.set(key, window)
      return
    }
    this.#windows.delete(key)
    this.#windows.set(detachString(key), window)
    if (this.#windows.size > this.#atMost) this.#forgetOldest()
  }

  #forgetOldest(): void {
    let left = FORGOTTEN_TOGETHER
    for (const key of this.#windows.keys()) {
      this.#windows.delete(key)
      if (--left === 0) return
    }
  }
}

/** Counters against guessing. Each kind of counter is a table of its own (`kindOf`). */
export class GuessCounters implements Windows {
  readonly #clock: Pick<Clock, "monotonic">
  readonly #kinds = new Map<string, Budget>()

  constructor(clock: Pick<Clock, "monotonic">) {
    this.#clock = clock
  }

  spend(key: string, limit: Limit): Admission {
    return this.#of(key).spend(key, limit)
  }

  spendAll(counters: readonly Counter[]): SpentInMemory {
    const spent: Spent[] = []
    const counts: number[] = []
    let isGivenBack = false
    const giveBack = () => {
      if (!isGivenBack) this.giveBack(spent)
      isGivenBack = true
    }
    for (const { key, limit } of counters) {
      const admission = this.spend(key, limit)
      if (!admission.admitted) {
        giveBack()
        return admission
      }
      spent.push({ key, startedMs: admission.window.startedMs })
      counts.push(admission.window.admitted)
    }
    return { admitted: true, counts, spent, giveBack }
  }

  giveBack(spent: readonly Spent[]): void {
    for (const one of spent) this.#of(one.key).giveBack([one])
  }

  forget(prefix: string): void {
    for (const windows of this.#kinds.values()) windows.forget(prefix)
  }

  #of(key: string): Budget {
    const kind = kindOf(key)
    const known = this.#kinds.get(kind)
    if (known !== undefined) return known
    const windows = new Budget(this.#clock, WINDOWS_OF_A_KIND_AT_MOST)
    this.#kinds.set(detachString(kind), windows)
    return windows
  }
}
