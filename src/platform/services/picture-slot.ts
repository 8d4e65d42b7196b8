/**
 * Encodes icons of self-registered apps one at a time. After each icon, the slot stays closed nine times as long as the
 * encoding took. Such icons therefore use at most a tenth of one processor, from any number of addresses.
 */
import type { Clock } from "../../kernel/clock.ts"

const REST_FACTOR = 9

export class PictureSlot {
  readonly #clock: Pick<Clock, "monotonic">
  #isTaken = false
  #freeAt = -Infinity

  constructor(clock: Pick<Clock, "monotonic">) {
    this.#clock = clock
  }

  /** Returns the result of `draw`. Returns null at once if the slot is busy or closed. */
  async use<T>(draw: () => Promise<T>): Promise<T | null> {
    const startedAt = this.#clock.monotonic()
    if (this.#isTaken || startedAt < this.#freeAt) return null
    this.#isTaken = true
    try {
      return await draw()
    } finally {
      const endedAt = this.#clock.monotonic()
      this.#freeAt = endedAt + REST_FACTOR * (endedAt - startedAt)
      this.#isTaken = false
    }
  }
}
