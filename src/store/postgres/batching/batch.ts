/**
 * Combines requests to the database. Requests that arrive in one turn of the event loop, or while a batch runs, become
 * one statement. Only one batch runs at a time, so that a node never waits for its own locks.
 */
import { StoreUnavailable } from "../../unavailable.ts"

const TOGETHER_AT_MOST = 1000

/** The maximum number of waiting requests. Above this number, requests are rejected. */
const WAITING_AT_MOST = 10_000

type Asked<Ask, Answer> = {
  readonly ask: Ask
  readonly resolve: (answer: Answer) => void
  readonly reject: (reason: unknown) => void
}

export class Batch<Ask, Answer> {
  readonly #run: (asks: readonly Ask[]) => Promise<readonly Answer[]>
  /** Two requests with equal keys never share a statement. Without this function, any requests may share one. */
  readonly #keyOf: ((ask: Ask) => string) | null
  #waiting: Asked<Ask, Answer>[] = []
  #isUnderWay = false

  /** `run` returns its answers in the order of the requests. */
  constructor(
    run: (asks: readonly Ask[]) => Promise<readonly Answer[]>,
    keyOf: ((ask: Ask) => string) | null = null,
  ) {
    this.#run = run
    this.#keyOf = keyOf
  }

  /**
   * Sends a request. Rejects with StoreUnavailable if the database cannot be reached, or if too many requests are
   * waiting.
   */
  ask(ask: Ask): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length >= WAITING_AT_MOST)
        return reject(new StoreUnavailable("too many requests are waiting for the database"))
      this.#waiting.push({ ask, resolve, reject })
      if (this.#isUnderWay) return
      this.#isUnderWay = true
      setImmediate(() => void this.#next())
    })
  }

  async #next(): Promise<void> {
    const together = this.#take()
    try {
      const answers = await this.#run(together.map(({ ask }) => ask))
      for (const [place, { resolve }] of together.entries()) resolve(answers[place] as Answer)
    } catch (error) {
      for (const { reject } of together) reject(error)
      // The waiting requests would fail too, but later.
      if (error instanceof StoreUnavailable) for (const { reject } of this.#waiting.splice(0)) reject(error)
    }
    if (this.#waiting.length > 0) setImmediate(() => void this.#next())
    else this.#isUnderWay = false
  }

  #take(): readonly Asked<Ask, Answer>[] {
    const keyOf = this.#keyOf
    if (keyOf === null) return this.#waiting.splice(0, TOGETHER_AT_MOST)
    const taken = new Map<string, Asked<Ask, Answer>>()
    const left: Asked<Ask, Answer>[] = []
    for (const asked of this.#waiting) {
      const key = keyOf(asked.ask)
      if (taken.size < TOGETHER_AT_MOST && !taken.has(key)) taken.set(key, asked)
      else left.push(asked)
    }
    this.#waiting = left
    return [...taken.values()]
  }
}
