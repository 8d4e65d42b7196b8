/**
 * Limits outgoing requests, in total and per origin. It limits concurrent requests and requests per minute, and refuses
 * the excess.
 */
import type { Clock } from "../kernel/clock.ts"
import { admit, type Window } from "../kernel/rate-limit.ts"

/** How many requests may be under way, and how many may begin in a minute. */
export type OutgoingLimits = {
  readonly atOnce: { readonly inAll: number; readonly toOrigin: number }
  readonly perMinute: { readonly inAll: number; readonly toOrigin: number }
}

export const USUAL_LIMITS: OutgoingLimits = {
  atOnce: { inAll: 16, toOrigin: 4 },
  perMinute: { inAll: 120, toOrigin: 30 },
}

/**
 * The maximum number of stored windows. The origins of two minutes of requests fit in. The oldest window is deleted
 * first.
 */
const ORIGINS_AT_MOST = 240

export class Governor {
  readonly #clock: Pick<Clock, "monotonic">
  readonly #limits: OutgoingLimits
  #inAll = 0
  #window: Window | undefined
  readonly #toOrigin = new Map<string, number>()
  readonly #windows = new Map<string, Window>()

  constructor(clock: Pick<Clock, "monotonic">, limits: OutgoingLimits = USUAL_LIMITS) {
    this.#clock = clock
    this.#limits = limits
  }

  /** Counts a request and returns the function to call when it has ended. Returns null if the request is refused. */
  enter(origin: string): (() => void) | null {
    const now = this.#clock.monotonic()
    const active = this.#toOrigin.get(origin) ?? 0
    const { atOnce, perMinute } = this.#limits
    if (this.#inAll >= atOnce.inAll || active >= atOnce.toOrigin) return null
    const inAll = admit(this.#window, { requests: perMinute.inAll, seconds: 60 }, now)
    const ofOrigin = { requests: perMinute.toOrigin, seconds: 60 }
    const toOrigin = admit(this.#windows.get(origin), ofOrigin, now)
    if (!inAll.admitted || !toOrigin.admitted) return null
    this.#window = inAll.window
    this.#keepWindow(origin, toOrigin.window)
    this.#inAll += 1
    this.#toOrigin.set(origin, active + 1)
    return () => this.#leave(origin)
  }

  #keepWindow(origin: string, window: Window): void {
    if (window.admitted === 1) this.#windows.delete(origin)
    this.#windows.set(origin, window)
    const [oldest] = this.#windows.keys()
    if (this.#windows.size > ORIGINS_AT_MOST && oldest !== undefined) this.#windows.delete(oldest)
  }

  #leave(origin: string): void {
    this.#inAll -= 1
    const left = (this.#toOrigin.get(origin) ?? 1) - 1
    if (left === 0) this.#toOrigin.delete(origin)
    else this.#toOrigin.set(origin, left)
  }
}
