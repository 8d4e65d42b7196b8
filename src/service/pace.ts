/**
 * How fast machines poll: RFC 8628 §3.5; interface DG-2, LIM-3. By the monotonic clock, in memory: a pace that is
 * forgotten at a restart costs one early answer.
 */
import type { GrantId } from "../core/brand.ts"
import { POLL_SECONDS, POLL_SLACK_SECONDS } from "../core/limits.ts"
import type { Clock } from "../system/clock.ts"

/** More grants than this polled at once: those first polled longest ago are forgotten. */
const GRANTS_AT_MOST = 100_000

type Polled = { readonly atMilliseconds: number; readonly early: number }

export class Pace {
  readonly #clock: Clock
  readonly #polled = new Map<GrantId, Polled>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * Counts a poll. Null where it keeps pace, else the interval in seconds that the machine must keep to from now on:
   * five more each time. The threshold itself does not grow.
   */
  poll(grantId: GrantId): number | null {
    const now = this.#clock.monotonic()
    const before = this.#polled.get(grantId)
    const least = (POLL_SECONDS - POLL_SLACK_SECONDS) * 1000
    const isEarly = before !== undefined && now - before.atMilliseconds < least
    const early = (before?.early ?? 0) + (isEarly ? 1 : 0)
    this.#polled.set(grantId, { atMilliseconds: now, early })
    if (this.#polled.size > GRANTS_AT_MOST) this.#forgetOldest()
    return isEarly ? POLL_SECONDS * (1 + early) : null
  }

  forget(grantId: GrantId): void {
    this.#polled.delete(grantId)
  }

  #forgetOldest(): void {
    for (const grantId of this.#polled.keys()) return this.forget(grantId)
  }
}
