/** A semaphore with a bounded queue; a call beyond it is refused at once. */
export class Slots {
  #free: number
  readonly #waitingAtMost: number
  readonly #waiting: (() => void)[] = []

  constructor(atATime: number, waitingAtMost: number) {
    this.#free = atATime
    this.#waitingAtMost = waitingAtMost
  }

  /** Resolves when it is this caller's turn, false where too many wait already. After true, the caller has to give it back. */
  async take(): Promise<boolean> {
    if (this.#free > 0) {
      this.#free--
      return true
    }
    if (this.#waiting.length >= this.#waitingAtMost) return false
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
    return true
  }

  give(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#free++
    else next()
  }
}
