/** Limits how many callers run at a time. Waiting callers run in the order of their calls. */

type Waiting = { readonly resolve: () => void; readonly reject: (reason: unknown) => void }

export class Semaphore {
  #left: number
  readonly #waiting: Waiting[] = []

  constructor(atMost: number) {
    this.#left = atMost
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /**
   * Waits for a turn. Rejects with the reason that `rejectAll` received. A caller that gets a turn must call `done`.
   */
  async turn(): Promise<void> {
    if (this.#left > 0) this.#left--
    else await new Promise<void>((resolve, reject) => this.#waiting.push({ resolve, reject }))
  }

  done(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#left++
    else next.resolve()
  }

  rejectAll(reason: unknown): void {
    for (const { reject } of this.#waiting.splice(0)) reject(reason)
  }
}

/** The turn of one caller, which can give it up to wait for one elsewhere. */
export class Turn {
  #at: Semaphore | null = null

  isAt(semaphore: Semaphore): boolean {
    return this.#at === semaphore
  }

  /** Rejects as `turn` does, and then has no turn. */
  async take(at: Semaphore): Promise<void> {
    this.end()
    await at.turn()
    this.#at = at
  }

  end(): void {
    this.#at?.done()
    this.#at = null
  }
}
