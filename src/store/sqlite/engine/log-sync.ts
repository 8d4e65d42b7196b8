/**
 * Brings the write-ahead log to stable storage without stopping the service. At `synchronous = FULL` SQLite itself would
 * block the event loop during the sync. At `NORMAL` the sync is left to this class, and meanwhile the next requests are
 * read and decided. An answer is sent after the first sync that began after its commit.
 *
 * The log is written in order and read back up to its first gap, so one sync makes everything durable that was committed
 * before it, on any connection. SQLite itself still syncs what keeps the file whole: a log that restarts, and both files
 * around a checkpoint. https://www.sqlite.org/pragma.html#pragma_synchronous
 */
import { closeSync, fdatasync, openSync } from "node:fs"
import { promisify } from "node:util"
import { StoreUnavailable } from "../../store.ts"

const syncToDisk = promisify(fdatasync)

export class LogSync {
  readonly #descriptor: number
  #last: Promise<void> = Promise.resolve()
  #next: Promise<void> | null = null
  /** Requested syncs that are not finished: at most one that runs and one after it. */
  #running = 0
  readonly #failed: (failure: StoreUnavailable) => void
  #failure: StoreUnavailable | null = null

  /** `file` is the database; a connection to it must have been used, and stay open for longer than this. */
  constructor(file: string, failed: (failure: StoreUnavailable) => void) {
    this.#failed = failed
    this.#descriptor = openSync(`${file}-wal`, "r+")
  }

  /**
   * Resolves once all that is committed by now is on disk. After a sync that failed it rejects for good: what the
   * operating system did with the pages is not known, and a later sync that succeeds says nothing of them.
   */
  synced(): Promise<void> {
    if (this.#next === null) {
      this.#running++
      this.#next = this.#last.then(() => this.#begin())
    }
    return this.#next
  }

  /** Resolves after every requested sync: no answer reports what a power cut could still undo. */
  settled(): Promise<void> {
    return this.#next ?? this.#last
  }

  /** Whether everything that was committed is on disk. */
  get isSettled(): boolean {
    return !this.isSyncing && this.#failure === null
  }

  /** Whether a sync runs, or is about to. */
  get isSyncing(): boolean {
    return this.#running > 0
  }

  /** The failed sync, if any: nothing more is committed. */
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
      this.#failure = new StoreUnavailable("the disk did not take the log", { cause })
      this.#failed(this.#failure)
      throw this.#failure
    })
    this.#next = null
    return this.#last
  }
}
