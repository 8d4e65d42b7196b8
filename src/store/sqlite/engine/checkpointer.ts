/**
 * Copies the write-ahead log into the database file on a thread of its own, so that the wait for that file's disk
 * (tens of milliseconds once the rows are spread over many pages) never stops the service.
 *
 * The log begins anew only where all of it is copied, and under load there is always more by the time that the thread is
 * done. So it copies what came meanwhile, once and again, and the few pages that came in the end are copied between two
 * turns of the event loop (`finish`).
 *
 * Nothing depends on it: the log alone is durable, and where the thread does not keep up or dies, SQLite copies at a
 * commit (`COMMIT_COPIES_FROM`).
 */
import { Worker } from "node:worker_threads"

/**
 * So few changes are copied together: the disk has them at once, and what syncs the log meanwhile waits for them. A command
 * of the command line makes fewer, and needs no thread.
 */
export const CHANGES_BETWEEN = 100

/** A log that is longer than this is to begin anew. 16 MiB. */
const LOG_PAGES = 4096

/** Then what came meanwhile is copied so many times: each leaves less. */
const FURTHER_PASSES = 2

/** In a log of so many pages a commit copies whatever is left, and waits for the disk. 32 MiB. */
export const COMMIT_COPIES_FROM = 2 * LOG_PAGES

export class Checkpointer {
  readonly #file: string
  readonly #finish: () => void
  #worker: Worker | null = null
  #changes = 0
  #isCopying = false
  #passes = 0

  /** `finish` copies what little is left, while nothing is written. */
  constructor(file: string, finish: () => void) {
    this.#file = file
    this.#finish = finish
  }

  /** Says that so many changes were committed. */
  committed(changes: number): void {
    this.#changes += changes
    if (!this.#isCopying && this.#changes >= CHANGES_BETWEEN) this.#copy()
  }

  #copy(): void {
    this.#changes = 0
    this.#isCopying = true
    this.#worker ??= this.#start()
    this.#worker.postMessage("copy", [])
  }

  #copied(logPages: number): void {
    this.#isCopying = false
    if (this.#worker === null) return
    const isLong = logPages >= LOG_PAGES
    if (isLong && this.#passes++ < FURTHER_PASSES) return this.#copy()
    this.#passes = 0
    if (isLong) this.#finish()
  }

  async close(): Promise<void> {
    const worker = this.#worker
    this.#worker = null
    if (worker === null) return
    worker.ref()
    const exit = new Promise((resolve) => worker.once("exit", resolve))
    worker.postMessage("close", [])
    await exit
  }

  #start(): Worker {
    const worker = new Worker(new URL("./checkpoint-worker.js", import.meta.url), {
      workerData: this.#file,
      resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 },
    })
    worker.on("message", (logPages: number) => this.#copied(logPages))
    // Without the thread the commits copy: `isCopying` stays, so that none is started again.
    worker.on("error", () => (this.#worker = null))
    // After the listeners, which hold the process again.
    worker.unref()
    return worker
  }
}
