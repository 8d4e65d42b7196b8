/** Limits how many callers run and how many wait. */
export class Semaphore {
  #free: number
  readonly #maxWaiting: number
  readonly #waiting: (() => void)[] = []

  constructor(maxConcurrent: number, maxWaiting: number) {
    this.#free = maxConcurrent
    this.#maxWaiting = maxWaiting
  }

  /**
   * Waits for a free place. Resolves with false at once if too many callers are waiting. After a result of true, call
   * `release`.
   */
  async acquire(): Promise<boolean> {
    if (this.#free > 0) {
      this.#free--
      return true
    }
    if (this.#waiting.length >= this.#maxWaiting) return false
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
    return true
  }

  release(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#free++
    else next()
  }
}
