/**
 * Copies the write-ahead log into the database file on its own thread, so that the wait for that file's disk (tens of
 * milliseconds when the rows are spread over many pages) never stops the service.
 *
 * The log restarts only when all of it is copied, and under load more arrives while the thread copies. So it copies what
 * arrived meanwhile, twice, and the last few pages are copied between two turns of the event loop (`finish`).
 *
 * Nothing depends on it: the log alone is durable. If the thread dies or does not keep up, SQLite copies at a commit
 * (`COMMIT_COPIES_FROM`).
 */
import { Worker } from "node:worker_threads"

/**
 * So few changes are copied together: the disk has them at once, and what syncs the log meanwhile waits for them. A command
 * of the command line makes fewer, and needs no thread.
 */
export const CHANGES_BETWEEN = 100

/** A log that is longer than this is copied until it can restart. 16 MiB. */
const LOG_PAGES = 4096

/** How often the thread then copies what arrived meanwhile: each copy leaves less. */
const FURTHER_PASSES = 2

/** Pages in the log from which a commit copies the rest itself, and waits for the disk. 32 MiB. */
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

  /** Reports committed changes. */
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
