/** Poll intervals of devices in the memory of one process. After a restart, each device may poll early once. */
import type { GrantId } from "../../kernel/ids.ts"
import { isForgettable, enforcePollInterval, type Polled } from "../../kernel/poll-interval.ts"
import type { SharedPollIntervals } from "../../store/limits.ts"
import type { Clock } from "../../kernel/clock.ts"
import { detachString } from "../../kernel/detach-string.ts"

/** Above this number, the grants with the oldest first poll are forgotten. */
const GRANTS_AT_MOST = 100_000
/** As many grants are forgotten at once. Gaps at the front of the map would slow every search. */
const FORGOTTEN_TOGETHER = 1_000
const LOOKED_THROUGH_FROM = 1_000

export class PollIntervals implements SharedPollIntervals {
  readonly #clock: Pick<Clock, "monotonic">
  readonly #polled = new Map<GrantId, Polled>()
  /** When the map reaches this size, unneeded entries are removed. */
  #roomFor = LOOKED_THROUGH_FROM

  constructor(clock: Pick<Clock, "monotonic">) {
    this.#clock = clock
  }

  poll(grantId: GrantId): number | null {
    const nowMs = this.#clock.monotonic()
    const before = this.#polled.get(grantId)
    const { polled, interval } = enforcePollInterval(before, nowMs)
    if (before !== undefined) this.#polled.set(grantId, polled)
    else {
      if (this.#polled.size >= this.#roomFor) this.#makeRoom(nowMs)
      this.#polled.set(detachString(grantId) as GrantId, polled)
    }
    return interval
  }

  forget(grantId: GrantId): void {
    this.#polled.delete(grantId)
  }

  /**
   * Removes unneeded entries. The next cleanup runs when the map has doubled, so the cost for each entry is constant.
   */
  #makeRoom(nowMs: number): void {
    for (const [grantId, polled] of this.#polled) if (isForgettable(polled, nowMs)) this.forget(grantId)
    if (this.#polled.size >= GRANTS_AT_MOST) this.#forgetOldest()
    this.#roomFor = Math.min(Math.max(LOOKED_THROUGH_FROM, 2 * this.#polled.size), GRANTS_AT_MOST)
  }

  #forgetOldest(): void {
    let left = FORGOTTEN_TOGETHER
    for (const grantId of this.#polled.keys()) {
      this.forget(grantId)
      if (--left === 0) return
    }
  }
}
