/**
 * Copies the write-ahead log into the database file on a thread of its own, so that the wait for that file's disk
 * (tens of milliseconds once the rows are spread over many pages) never stops the service.
 *
 * Nothing depends on it: the log alone is durable, and where the thread does not keep up or dies, SQLite copies at a
 * commit (`LOG_PAGES_AT_MOST`), where usually little is left to do.
 */
import { once } from "node:events"
import { Worker } from "node:worker_threads"

/** So few changes are left to the commit itself: a command of the command line needs no thread. */
const CHANGES_BETWEEN = 500

/** The log starts again at its beginning once it is longer than this and wholly copied. 16 MiB. */
export const LOG_PAGES_AT_MOST = 4096

export class Checkpointer {
  readonly #file: string
  #worker: Worker | null = null
  #changes = 0
  #isCopying = false

  constructor(file: string) {
    this.#file = file
  }

  /** Says that so many changes were committed. */
  committed(changes: number): void {
    this.#changes += changes
    if (this.#isCopying || this.#changes < CHANGES_BETWEEN) return
    this.#changes = 0
    this.#isCopying = true
    this.#worker ??= this.#start()
    this.#worker.postMessage("copy", [])
  }

  async close(): Promise<void> {
    const worker = this.#worker
    this.#worker = null
    if (worker === null) return
    worker.ref()
    const exit = once(worker, "exit")
    worker.postMessage("close", [])
    await exit
  }

  #start(): Worker {
    const worker = new Worker(new URL("./checkpoint-worker.js", import.meta.url), {
      workerData: this.#file,
      resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 },
    })
    worker.unref()
    worker.on("message", () => (this.#isCopying = false))
    // Without the thread the commits copy: `isCopying` stays, so that none is started again.
    worker.on("error", () => (this.#worker = null))
    return worker
  }
}
