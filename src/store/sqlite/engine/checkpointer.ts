/**
 * Copies the write-ahead log into the database file on a thread of its own. The event loop therefore does not wait for
 * the disk, which takes tens of milliseconds if the rows are spread over many pages.
 *
 * SQLite reuses the log from its start only when all of it is copied, but new changes arrive during a copy. The thread
 * therefore copies a long log up to three times. After that, `finish` copies the last pages on the event loop.
 *
 * The log alone is durable. If the thread fails or is too slow, SQLite copies at a commit (`COMMIT_COPIES_FROM`).
 */
import { Worker } from "node:worker_threads"

/**
 * The limits for the number of changes between two copies. Most commands of the command line make fewer changes, so
 * they start no thread.
 */
export const CHANGES_BETWEEN_AT_LEAST = 100
export const CHANGES_BETWEEN_AT_MOST = 400

/** A sync of the log waits while the disk writes a copy. A copy should therefore take at most this long. */
export const COPY_MS = 3

/**
 * Returns the number of changes before the next copy. The last copy came after `changes` and took `milliseconds`. In a
 * large database, most changes write a page of their own, and copies of many changes would delay requests. In a small
 * database, a page often has several changes, and each copy saves time if it comes later.
 */
export function changesBetween(changes: number, milliseconds: number): number {
  return milliseconds > COPY_MS
    ? Math.max(CHANGES_BETWEEN_AT_LEAST, changes / 2)
    : Math.min(CHANGES_BETWEEN_AT_MOST, changes * 2)
}

/** The message of the thread after a copy: the length of the log in pages, and how long the copy took. */
export type Copied = { readonly logPages: number; readonly milliseconds: number }

/** A log of this many pages (16 MiB) is long. */
const LOG_PAGES = 4096

/** The maximum number of repeated copies of a long log. Each copy leaves fewer pages for the next. */
const FURTHER_PASSES = 2

/** From this many pages on (32 MiB), SQLite copies the log during a commit, and the commit waits for the disk. */
export const COMMIT_COPIES_FROM = 2 * LOG_PAGES

export class Checkpointer {
  readonly #file: string
  readonly #finish: () => void
  #worker: Worker | null = null
  #changes = 0
  #changesBetween = CHANGES_BETWEEN_AT_LEAST
  #isCopying = false
  #passes = 0

  /** `finish` copies the last pages. It runs on the event loop, so this process commits nothing meanwhile. */
  constructor(file: string, finish: () => void) {
    this.#file = file
    this.#finish = finish
  }

  /** Records that changes were committed. */
  committed(changes: number): void {
    this.#changes += changes
    if (!this.#isCopying && this.#changes >= this.#changesBetween) this.#copy()
  }

  #copy(): void {
    this.#changes = 0
    this.#isCopying = true
    this.#worker ??= this.#start()
    this.#worker.postMessage("copy", [])
  }

  #copied({ logPages, milliseconds }: Copied): void {
    this.#isCopying = false
    this.#changesBetween = changesBetween(this.#changesBetween, milliseconds)
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
    worker.on("message", (copied: Copied) => this.#copied(copied))
    // From now on, commits copy the log. `isCopying` stays true, so that no new thread starts.
    worker.on("error", () => (this.#worker = null))
    // This call comes after the listeners are added, because adding them lets the worker keep the process running.
    worker.unref()
    return worker
  }
}
