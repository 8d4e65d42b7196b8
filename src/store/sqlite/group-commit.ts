/**
 * Durable group commit. Changes of one turn of the event loop share one transaction. Transactions that end during a
 * sync share the next sync and are answered after it. docs/decisions/0003-durable-group-commit.md explains the design.
 */
import type { Change, Decided } from "../../model/change.rules.ts"
import { invalidationOf } from "../../model/invalidation.rules.ts"
import type { Found, Load } from "../loadable.ts"
import { StoreUnavailable } from "../unavailable.ts"
import { applyChange } from "./statements/apply.ts"
import type { Connection } from "./engine/connection.ts"
import { loadRows, type LoadedRows } from "./statements/load.ts"
import type { LogSync } from "./engine/log-sync.ts"
import { asStoreError, isLocked, isUnavailable } from "./engine/sqlite-error.ts"
import { databaseLocked, WriteLock } from "./engine/write-lock.ts"

/**
 * During a sync, a commit starts only when this many changes are waiting. A larger batch shares the cost of a
 * transaction and a sync. With 64 connections, half of them are served while the other half waits for the disk.
 */
const MIN_BATCH_WHILE_SYNCING = 32

/** The maximum number of changes in a transaction. The limit keeps each turn of the event loop short. */
const CHANGES_TOGETHER_AT_MOST = 256

type Waiting<L extends Load = Load, A = unknown> = {
  readonly load: L
  readonly decide: (found: Found<L>) => Decided<A>
  /** Answers the caller. Called after the sync. */
  readonly resolve: (answer: A) => void
  readonly reject: (reason: unknown) => void
}

export class GroupCommit {
  readonly #connection: Connection
  readonly #log: LogSync
  readonly #committed: (changes: number) => void
  #waiting: Waiting[] = []
  /** Whether a commit runs after this turn of the event loop. */
  #isScheduled = false
  /** Whether a commit runs after the current sync. */
  #isHeld = false
  #hasWritten = false
  #isClosed = false
  /** The value is null if the connection itself waits for locks of other processes. */
  readonly #writeLock: WriteLock | null

  /** `committed` is called with the number of changes of each transaction. */
  constructor(
    connection: Connection,
    log: LogSync,
    { committed, lockWaitMs }: { committed: (changes: number) => void; lockWaitMs: number | null },
  ) {
    this.#connection = connection
    this.#log = log
    this.#committed = committed
    this.#writeLock = lockWaitMs === null ? null : new WriteLock(lockWaitMs, () => this.#retry())
  }

  /** Whether another process has the write lock. Changes then wait or are refused. */
  isLocked(): boolean {
    const lock = this.#writeLock
    if (lock === null || this.#isClosed) return false
    if (!lock.isHeld) this.#probe(lock)
    return lock.isHeld
  }

  change<const L extends Load, A>(load: L, decide: (found: Found<L>) => Decided<A>): Promise<A> {
    if (this.#isClosed) return Promise.reject(new StoreUnavailable("the store is closed"))
    if (this.#writeLock?.refusesChanges === true) return Promise.reject(databaseLocked())
    return new Promise<A>((resolve, reject) => {
      const waiting: Waiting<L, A> = { load, decide, resolve, reject }
      this.#waiting.push(waiting as unknown as Waiting)
      this.#schedule()
    })
  }

  /** Schedules a commit after this turn of the event loop, or after the current sync. */
  #schedule(): void {
    // While another process has the lock, the timer of the lock starts the commits.
    if (this.#isScheduled || this.#writeLock?.isHeld === true) return
    if (!this.#log.isSyncing || this.#waiting.length >= MIN_BATCH_WHILE_SYNCING) {
      this.#isScheduled = true
      setImmediate(() => this.#commitWaiting())
    } else if (!this.#isHeld) {
      this.#isHeld = true
      const go = () => {
        this.#isHeld = false
        if (this.#waiting.length > 0) this.#schedule()
      }
      this.#log.settled().then(go, go)
    }
  }

  /** Commits and answers the waiting changes. Accepts no new ones. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#writeLock?.foundFree()
    while (this.#waiting.length > 0) this.#commitWaiting()
    await Promise.allSettled([this.#log.settled()])
  }

  #commitWaiting(): void {
    this.#isScheduled = false
    const together = this.#waiting.splice(0, CHANGES_TOGETHER_AT_MOST)
    if (this.#waiting.length > 0) this.#schedule()
    if (together.length === 0) return
    const fail = (error: unknown) => {
      // All changes are rejected, because each may depend on a write of the transaction that was rolled back.
      const reason = asStoreError(error)
      for (const { reject } of together) reject(reason)
    }
    if (this.#log.failure !== null) return fail(this.#log.failure)
    this.#hasWritten = false
    let answers: (() => void)[]
    try {
      answers = this.#runAll(together)
    } catch (error) {
      if (this.#waitsForLock(together, error)) return
      this.#lockIsFree()
      return fail(error)
    }
    this.#lockIsFree()
    const durable = this.#hasWritten ? this.#log.synced() : this.#log.settled()
    durable.then(() => {
      for (const answer of answers) answer()
    }, fail)
    this.#committed(together.length)
  }

  /**
   * Whether `error` means that another process has the lock. The changes then wait, or they are refused and never run.
   */
  #waitsForLock(together: readonly Waiting[], error: unknown): boolean {
    const lock = this.#writeLock
    if (lock === null || this.#isClosed || !isLocked(error)) return false
    lock.foundHeld()
    const waiting = [...together, ...this.#waiting]
    this.#waiting = lock.refusesChanges ? [] : waiting
    if (lock.refusesChanges) for (const { reject } of waiting) reject(databaseLocked(error))
    return true
  }

  /** Commits the changes that arrived while another process had the lock. */
  #lockIsFree(): void {
    if (this.#writeLock?.isHeld !== true) return
    this.#writeLock.foundFree()
    if (this.#waiting.length > 0) this.#schedule()
  }

  #retry(): void {
    if (this.#waiting.length > 0) this.#commitWaiting()
    else if (this.#writeLock !== null) this.#probe(this.#writeLock)
  }

  /** Takes the lock and releases it, to find out whether it is free. */
  #probe(lock: WriteLock): void {
    try {
      this.#connection.transaction(() => undefined)
    } catch (error) {
      if (isLocked(error)) return lock.foundHeld()
    }
    this.#lockIsFree()
  }

  /**
   * Runs all changes in one transaction. The first attempt uses no savepoints, because a savepoint copies every page
   * that a change writes. If a change fails after some of its writes, the transaction is rolled back. All changes then
   * run again, each in a savepoint.
   */
  #runAll(together: readonly Waiting[]): (() => void)[] {
    const run = (isUndoable: boolean) =>
      this.#connection.transaction(() => together.map((one) => this.#runOne(one, isUndoable)))
    try {
      return run(false)
    } catch (error) {
      if (!(error instanceof HalfWritten)) throw error
      return run(true)
    }
  }

  /**
   * Runs one change. If its rule or its write fails, only this change is rejected. If the database fails, all changes
   * are rejected.
   */
  #runOne({ load, decide, resolve, reject }: Waiting, isUndoable: boolean): () => void {
    try {
      const answer = this.#decideAndWrite(load, decide, isUndoable)
      return () => resolve(answer)
    } catch (error) {
      if (isUnavailable(error) || error instanceof HalfWritten) throw error
      if (!this.#connection.database.isTransaction) {
        throw new StoreUnavailable("the database rolled back the transaction", { cause: error })
      }
      return () => reject(error)
    }
  }

  #decideAndWrite(load: Load, decide: Waiting["decide"], isUndoable: boolean): unknown {
    const connection = this.#connection
    const rows: LoadedRows = new Map()
    const { answer, changes } = decide(loadRows(connection, load, rows))
    const [first] = changes
    if (first === undefined) return answer
    this.#hasWritten = true
    if (changes.length === 1 && isOneStatement(first)) {
      // If a statement fails, SQLite itself undoes its writes.
      applyChange(connection, first, rows)
      return answer
    }
    if (isUndoable) this.#writeUndoably(changes, rows)
    else this.#write(changes, rows)
    return answer
  }

  #write(changes: readonly Change[], rows: LoadedRows): void {
    try {
      for (const change of changes) applyChange(this.#connection, change, rows)
    } catch (error) {
      throw isUnavailable(error)
        ? error
        : new HalfWritten("a change failed after some of its writes", { cause: error })
    }
  }

  #writeUndoably(changes: readonly Change[], rows: LoadedRows): void {
    const connection = this.#connection
    connection.run("SAVEPOINT change")
    try {
      for (const change of changes) applyChange(connection, change, rows)
    } catch (error) {
      connection.rows.forget()
      if (connection.database.isTransaction) connection.run("ROLLBACK TO change")
      throw error
    } finally {
      if (connection.database.isTransaction) connection.run("RELEASE change")
    }
  }
}

/** Means that a failed change has left writes. Only a rollback of the whole transaction undoes them. */
class HalfWritten extends Error {
  override readonly name = "HalfWritten"
}

const SEVERAL_STATEMENTS: ReadonlySet<Change["change"]> = new Set<Change["change"]>([
  "accountRemoved",
  "accountStaged",
  "stagedRemoved",
  "credentialAdded",
  "eventRecorded",
  "eventCounted",
  "invitationEnded",
  "invitationsEnded",
  "serviceTokenAdded",
  "sessionSeen",
  "tallied",
])

function isOneStatement(change: Change): boolean {
  return !SEVERAL_STATEMENTS.has(change.change) && invalidationOf(change) === null
}
