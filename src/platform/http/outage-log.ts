/**
 * Logs requests that failed because the database or the disk was unavailable. During an outage every request may fail.
 * Each second, only the first 20 failures have their own line. The rest are logged as a count.
 */
import type { Log } from "../../kernel/log.ts"

const LOGGED_PER_SECOND = 20
const SECOND_MS = 1000

export class OutageLog {
  readonly #log: Log
  #count = 0
  #timer: NodeJS.Timeout | null = null

  constructor(log: Log) {
    this.#log = log
  }

  note(requestId: string, fault: unknown, message: string): void {
    this.#count++
    this.#timer ??= setTimeout(() => this.endSecond(), SECOND_MS).unref()
    if (this.#count <= LOGGED_PER_SECOND) this.#log.error({ request_id: requestId, err: fault }, message)
  }

  /** Logs the number of further failures. A timer calls this method one second after the first failure. */
  endSecond(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    const more = this.#count - LOGGED_PER_SECOND
    if (more > 0) this.#log.error({ more }, "more requests could not be answered")
    this.#count = 0
  }
}
