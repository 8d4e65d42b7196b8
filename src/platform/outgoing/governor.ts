/** Limits concurrent requests and requests per minute, in total, per origin and per account. */
import type { Clock } from "../../kernel/clock.ts"
import { admit, type Window } from "../../kernel/rate-limit.ts"

/** How many requests may be under way, and how many may begin in a minute. */
export type OutgoingLimits = {
  readonly atOnce: { readonly inAll: number; readonly toOrigin: number }
  readonly perMinute: {
    readonly inAll: number
    readonly toOrigin: number
    /** For one account, so that it cannot use up the requests of the others. */
    readonly ofAccount: number
  }
}

export const USUAL_LIMITS: OutgoingLimits = {
  atOnce: { inAll: 16, toOrigin: 4 },
  perMinute: { inAll: 120, toOrigin: 30, ofAccount: 10 },
}

/** The maximum number of stored windows. Those of two minutes of requests fit in. The oldest window is deleted first. */
const WINDOWS_AT_MOST = 480

export class Governor {
  readonly #clock: Pick<Clock, "monotonic">
  readonly #limits: OutgoingLimits
  #inAll = 0
  #window: Window | undefined
  readonly #toOrigin = new Map<string, number>()
  /** The windows of origins, which begin with `https:`, and of accounts. */
  readonly #windows = new Map<string, Window>()

  constructor(clock: Pick<Clock, "monotonic">, limits: OutgoingLimits = USUAL_LIMITS) {
    this.#clock = clock
    this.#limits = limits
  }

  /** Returns the function to call when the request has ended, or null if it is refused. `account` caused it. */
  enter(origin: string, account?: string): (() => void) | null {
    const now = this.#clock.monotonic()
    const active = this.#toOrigin.get(origin) ?? 0
    const { atOnce, perMinute } = this.#limits
    if (this.#inAll >= atOnce.inAll || active >= atOnce.toOrigin) return null
    const inAll = admit(this.#window, { requests: perMinute.inAll, seconds: 60 }, now)
    const shares = [{ key: origin, requests: perMinute.toOrigin }]
    if (account !== undefined) shares.push({ key: `account ${account}`, requests: perMinute.ofAccount })
    const admissions = shares.map(({ key, requests }) => ({
      key,
      ...admit(this.#windows.get(key), { requests, seconds: 60 }, now),
    }))
    if (!inAll.admitted || !admissions.every((one) => one.admitted)) return null
    this.#window = inAll.window
    for (const { key, window } of admissions) this.#keepWindow(key, window)
    this.#inAll += 1
    this.#toOrigin.set(origin, active + 1)
    return () => this.#leave(origin)
  }

  #keepWindow(key: string, window: Window): void {
    if (window.admitted === 1) this.#windows.delete(key)
    this.#windows.set(key, window)
    const [oldest] = this.#windows.keys()
    if (this.#windows.size > WINDOWS_AT_MOST && oldest !== undefined) this.#windows.delete(oldest)
  }

  #leave(origin: string): void {
    this.#inAll -= 1
    const left = (this.#toOrigin.get(origin) ?? 1) - 1
    if (left === 0) this.#toOrigin.delete(origin)
    else this.#toOrigin.set(origin, left)
  }
}
