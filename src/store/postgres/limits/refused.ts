/**
 * Caches the keys that a rate limit has refused, so that a flood does not reach the database. A changed limit asks the
 * database again.
 */
import type { Admission, Budget } from "../../../kernel/rate-limit.ts"

/** Above this number, the oldest entries are removed. */
const KEYS_AT_MOST = 10_000

export class Refused {
  /** Returns milliseconds of a monotonic clock. */
  readonly now: () => number
  readonly #until = new Map<string, { readonly limit: Budget; readonly untilMs: number }>()

  constructor(now: () => number) {
    this.now = now
  }

  /** Returns the cached refusal, or null. */
  find(key: string, { requests, seconds }: Budget): Admission | null {
    const known = this.#until.get(key)
    if (known === undefined) return null
    const leftMs = known.untilMs - this.now()
    if (leftMs > 0 && known.limit.requests === requests && known.limit.seconds === seconds)
      return { admitted: false, retryAfterSeconds: Math.ceil(leftMs / 1000) }
    this.#until.delete(key)
    return null
  }

  forget(prefix: string): void {
    for (const key of this.#until.keys()) if (key.startsWith(prefix)) this.#until.delete(key)
  }

  keep(key: string, limit: Budget, untilMs: number): void {
    this.#until.delete(key)
    this.#until.set(key, { limit, untilMs })
    if (this.#until.size <= KEYS_AT_MOST) return
    for (const oldest of this.#until.keys()) {
      this.#until.delete(oldest)
      return
    }
  }
}
