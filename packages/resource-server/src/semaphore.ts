/** Limits how many callers run and how many wait. */
export class Semaphore {
  #free: number
  readonly #maxWaiting: number
  readonly #first: (() => void)[] = []
  readonly #others: (() => void)[] = []

  constructor(maxConcurrent: number, maxWaiting: number) {
    this.#free = maxConcurrent
    this.#maxWaiting = maxWaiting
  }

  /**
   * Resolves at a free place, then call `release`. With `isFirst`, the caller waits only behind others with it. Returns
   * null if too many callers are waiting.
   */
  acquire(isFirst: boolean): Promise<void> | null {
    if (this.#free > 0) {
      this.#free--
      return Promise.resolve()
    }
    const waiting = isFirst ? this.#first : this.#others
    if (waiting.length >= this.#maxWaiting) return null
    return new Promise((resolve) => waiting.push(resolve))
  }

  release(): void {
    const next = this.#first.shift() ?? this.#others.shift()
    if (next === undefined) this.#free++
    else next()
  }
}
