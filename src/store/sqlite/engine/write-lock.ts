/**
 * Watches the write lock of the database while another process has it. The event loop never waits for the lock. Changes
 * wait in the queue, and a timer tries the lock. A change that waits too long is refused. Interface LOAD-5.
 */
import { StoreLocked } from "../../unavailable.ts"

/** The longest time that a server's change waits for the lock. After that, the change is refused. */
export const LOCK_WAIT_MS = 200

const RETRY_MS = 10

export class WriteLock {
  readonly #waitMs: number
  readonly #retry: () => void
  /**
   * The time when another process was first found to have the lock. The value is null if no process is known to have
   * it.
   */
  #heldSince: number | null = null
  #timer: NodeJS.Timeout | undefined

  /** `retry` tries the lock and calls `foundHeld` or `foundFree`. */
  constructor(waitMs: number, retry: () => void) {
    this.#waitMs = waitMs
    this.#retry = retry
  }

  get isHeld(): boolean {
    return this.#heldSince !== null
  }

  /** Whether another process has had the lock for too long. Changes are then refused at once. */
  get refusesChanges(): boolean {
    return this.#heldSince !== null && performance.now() - this.#heldSince >= this.#waitMs
  }

  foundHeld(): void {
    this.#heldSince ??= performance.now()
    clearTimeout(this.#timer)
    this.#timer = setTimeout(this.#retry, RETRY_MS)
  }

  foundFree(): void {
    this.#heldSince = null
    clearTimeout(this.#timer)
  }
}

export function databaseLocked(cause?: unknown): StoreLocked {
  return new StoreLocked("another process has locked the database", { cause })
}
