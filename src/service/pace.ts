/** How fast machines poll, in the memory of the one process. A pace that is forgotten at a restart costs one early answer. */
import type { GrantId } from "../core/brand.ts"
import { keepPace, type Polled } from "../core/pace.ts"
import type { SharedPace } from "../store/store.ts"
import type { Clock } from "../system/clock.ts"

/** More grants than this polled at once: those first polled longest ago are forgotten. */
const GRANTS_AT_MOST = 100_000
/** At a time: what was deleted lies at the front of the map, and each search for the oldest has to pass it. */
const FORGOTTEN_TOGETHER = 1_000

export class Pace implements SharedPace {
  readonly #clock: Pick<Clock, "monotonic">
  readonly #polled = new Map<GrantId, Polled>()

  constructor(clock: Pick<Clock, "monotonic">) {
    this.#clock = clock
  }

  poll(grantId: GrantId): number | null {
    const { polled, interval } = keepPace(this.#polled.get(grantId), this.#clock.monotonic())
    this.#polled.set(grantId, polled)
    if (this.#polled.size > GRANTS_AT_MOST) this.#forgetOldest()
    return interval
  }

  forget(grantId: GrantId): void {
    this.#polled.delete(grantId)
  }

  #forgetOldest(): void {
    let left = FORGOTTEN_TOGETHER
    for (const grantId of this.#polled.keys()) {
      this.forget(grantId)
      if (--left === 0) return
    }
  }
}
