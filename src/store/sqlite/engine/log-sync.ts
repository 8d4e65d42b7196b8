/**
 * Syncs the write-ahead log to disk without blocking the event loop. With `synchronous = FULL`, SQLite would block the
 * event loop during the sync. With `NORMAL`, this class syncs, and meanwhile the next requests are read and decided. An
 * answer waits for the first sync that started after its commit.
 *
 * The log is written in order and read up to its first gap. One sync therefore makes every earlier commit durable, on
 * any connection. SQLite itself still syncs when the log starts again, and syncs both files around a checkpoint.
 * https://www.sqlite.org/pragma.html#pragma_synchronous
 */
import { closeSync, fdatasync, openSync } from "node:fs"
import { promisify } from "node:util"
import { StoreUnavailable } from "../../unavailable.ts"

const syncToDisk = promisify(fdatasync)

export class LogSync {
  readonly #descriptor: number
  #last: Promise<void> = Promise.resolve()
  #next: Promise<void> | null = null
  /** The number of unfinished syncs. One may run, and one may wait for it. */
  #running = 0
  readonly #failed: (failure: StoreUnavailable) => void
  #failure: StoreUnavailable | null = null

  /** `file` is the database. A connection to it must already be in use, and must be closed after this object. */
  constructor(file: string, failed: (failure: StoreUnavailable) => void) {
    this.#failed = failed
    this.#descriptor = openSync(`${file}-wal`, "r+")
  }

  /**
   * Resolves when every earlier commit is on disk. After a failed sync, always rejects. A later successful sync proves
   * nothing about the pages of the failed one.
   */
  synced(): Promise<void> {
    if (this.#next === null) {
      this.#running++
      this.#next = this.#last.then(() => this.#begin())
    }
    return this.#next
  }

  /** Resolves after all requested syncs. An answer then never reports anything that a power failure could undo. */
  settled(): Promise<void> {
    return this.#next ?? this.#last
  }

  /** Whether every commit is on disk. */
  get isSettled(): boolean {
    return !this.isSyncing && this.#failure === null
  }

  /** Whether a sync runs or is scheduled. */
  get isSyncing(): boolean {
    return this.#running > 0
  }

  /** The error of a failed sync, or null. After a failure, the store commits nothing. */
  get failure(): StoreUnavailable | null {
    return this.#failure
  }

  close(): void {
    closeSync(this.#descriptor)
  }

  #begin(): Promise<void> {
    const ended = () => void this.#running--
    this.#last = syncToDisk(this.#descriptor).then(ended, (cause: unknown) => {
      ended()
      this.#failure = new StoreUnavailable("the write-ahead log could not be synced to disk", { cause })
      this.#failed(this.#failure)
      throw this.#failure
    })
    this.#next = null
    return this.#last
  }
}
