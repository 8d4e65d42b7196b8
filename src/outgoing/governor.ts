/**
 * Limits outgoing requests, in total and per origin. It limits concurrent requests and requests per minute, and refuses
 * the excess.
 */
import type { Clock } from "../kernel/clock.ts"
import { admit, type Window } from "../kernel/rate-limit.ts"

const AT_ONCE = { inAll: 16, toOrigin: 4 } as const
const PER_MINUTE = {
  inAll: { requests: 120, seconds: 60 },
  toOrigin: { requests: 30, seconds: 60 },
} as const

/**
 * The maximum number of stored windows. The origins of two minutes of requests fit in. The oldest window is deleted
 * first.
 */
const ORIGINS_AT_MOST = 240

export class Governor {
  readonly #clock: Pick<Clock, "monotonic">
  #inAll = 0
  #window: Window | undefined
  readonly #toOrigin = new Map<string, number>()
  readonly #windows = new Map<string, Window>()

  constructor(clock: Pick<Clock, "monotonic">) {
    this.#clock = clock
  }

  /** Counts a request and returns the function to call when it has ended. Returns null if the request is refused. */
  enter(origin: string): (() => void) | null {
    const now = this.#clock.monotonic()
    const active = this.#toOrigin.get(origin) ?? 0
    if (this.#inAll >= AT_ONCE.inAll || active >= AT_ONCE.toOrigin) return null
    const inAll = admit(this.#window, PER_MINUTE.inAll, now)
    const toOrigin = admit(this.#windows.get(origin), PER_MINUTE.toOrigin, now)
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
