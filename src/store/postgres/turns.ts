/** So many at a time; who comes later waits for a turn, first come, first served. */
export class Turns {
  #left: number
  readonly #waiting: (() => void)[] = []

  constructor(atMost: number) {
    this.#left = atMost
  }

  get waiting(): number {
    return this.#waiting.length
  }

  async turn(): Promise<void> {
    if (this.#left > 0) this.#left--
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  /** Said once for each `turn`. */
  done(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#left++
    else next()
  }
}
