/** Counts the different addresses of the last ten minutes, in bounded memory. */
import type { Clock } from "../../kernel/clock.ts"
import { detachString } from "../../kernel/detach-string.ts"

const WINDOW_MILLISECONDS = 600_000
/** A flood may come from any number of addresses. The count then stays close below this number. */
const ADDRESSES_AT_MOST = 10_000

export class RecentAddresses {
  readonly #clock: Pick<Clock, "monotonic">
  readonly #atMost: number
  /** When each address was last noted, the oldest first. */
  readonly #notedAt = new Map<string, number>()

  constructor(clock: Pick<Clock, "monotonic">, atMost = ADDRESSES_AT_MOST) {
    this.#clock = clock
    this.#atMost = atMost
  }

  note(address: string): void {
    const isKnown = this.#notedAt.delete(address)
    this.#notedAt.set(isKnown ? address : detachString(address), this.#clock.monotonic())
    if (this.#notedAt.size > this.#atMost) this.#dropOldest()
  }

  count(): number {
    const oldest = this.#clock.monotonic() - WINDOW_MILLISECONDS
    for (const [address, at] of this.#notedAt) {
      if (at > oldest) break
      this.#notedAt.delete(address)
    }
    return this.#notedAt.size
  }

  /** Drops a tenth at once. Gaps at the front of the map would slow every search for the oldest. */
  #dropOldest(): void {
    let left = Math.ceil(this.#atMost / 10)
    for (const address of this.#notedAt.keys()) {
      this.#notedAt.delete(address)
      if (--left === 0) return
    }
  }
}
