/**
 * Logs requests that failed because the database or the disk was unavailable. During an outage every request may fail.
 * Each second, only the first 20 failures have their own line. The rest are logged as a count. The first second without
 * a failure logs the end of the outage, after the database itself has answered.
 */
import { metaKeys } from "../../store/loadable.ts"
import type { Store } from "../../store/store.ts"
import { StoreUnavailable } from "../../store/unavailable.ts"
import type { DiskState } from "../services/disk-state.ts"
import type { Log } from "../../kernel/log.ts"

const LOGGED_PER_SECOND = 20
const SECOND_MS = 1000

export class OutageLog {
  readonly #log: Log
  #count = 0
  #timer: NodeJS.Timeout | null = null
  /** The time of the first failure of this outage, and the number of failures. */
  #outage: { readonly since: number; count: number } | null = null
  readonly #answers: () => Promise<boolean>

  /** `answers` tells whether the database can be read and written. */
  constructor(log: Log, answers: () => Promise<boolean>) {
    this.#log = log
    this.#answers = answers
  }

  note(requestId: string, fault: unknown, message: string): void {
    this.#count++
    if (fault instanceof StoreUnavailable) this.#outage ??= { since: performance.now(), count: 0 }
    if (this.#outage !== null) this.#outage.count++
    this.#timer ??= this.#nextSecond()
    if (this.#count <= LOGGED_PER_SECOND) this.#log.error({ request_id: requestId, err: fault }, message)
  }

  /** Logs the number of further failures. A timer calls this method each second of an outage. */
  async endSecond(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    const more = this.#count - LOGGED_PER_SECOND
    if (more > 0) this.#log.error({ more }, "more requests could not be answered")
    const isQuiet = this.#count === 0
    this.#count = 0
    if (isQuiet && (this.#outage === null || (await this.#answers()))) this.#end()
    else this.#timer ??= this.#nextSecond()
  }

  #end(): void {
    // A failure may have come while the database was asked.
    if (this.#outage === null || this.#timer !== null) return
    const seconds = Math.round((performance.now() - this.#outage.since) / SECOND_MS)
    this.#log.info({ seconds, unanswered: this.#outage.count }, "the database answers again")
    this.#outage = null
  }

  #nextSecond(): NodeJS.Timeout {
    return setTimeout(() => void this.endSecond(), SECOND_MS).unref()
  }
}

/** Tells whether the database can be read and, as far as the last write showed, written. */
export async function answersAgain({
  store,
  disk,
}: {
  readonly store: Pick<Store, "read" | "isLocked">
  readonly disk: DiskState
}): Promise<boolean> {
  try {
    await store.read({ meta: metaKeys.baseUrl })
    return !disk.isFull && !(await store.isLocked())
  } catch {
    return false
  }
}
