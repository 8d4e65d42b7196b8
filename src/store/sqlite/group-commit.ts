/**
 * Durable group commit. Changes that arrive in one turn of the event loop share one transaction; transactions that end
 * while the disk is busy share the next wait for it, and all are answered after that.
 * docs/decisions/0003-durable-group-commit.md has the figures.
 */
import type { Change, Decided } from "../../records/change.rules.ts"
import { invalidationOf } from "../../records/invalidation.rules.ts"
import { type Found, type Load, StoreUnavailable } from "../store.ts"
import { applyChange } from "./statements/apply.ts"
import type { Connection } from "./engine/connection.ts"
import { loadRows, type LoadedRows } from "./statements/load.ts"
import type { LogSync } from "./engine/log-sync.ts"
import { asStoreError, isLocked, isUnavailable } from "./engine/sqlite-error.ts"
import { databaseLocked, WriteLock } from "./engine/write-lock.ts"

/**
 * While the disk syncs, changes wait until this many have arrived: more of them share the cost of a transaction and a sync,
 * and of 64 connections one half is served while the other waits for the disk.
 */
const MIN_BATCH_WHILE_SYNCING = 32

/** Keeps each turn of the event loop short. */
const CHANGES_TOGETHER_AT_MOST = 256

type Waiting = {
  /** Loads, decides and writes; returns the function that answers the caller after the sync. */
  readonly run: (isUndoable: boolean) => () => void
  readonly reject: (reason: unknown) => void
}

export class GroupCommit {
  readonly #connection: Connection
  readonly #log: LogSync
  readonly #committed: (changes: number) => void
  #waiting: Waiting[] = []
  /** A commit follows this turn. */
  #isScheduled = false
  /** A commit follows the running sync. */
  #isHeld = false
  #hasWritten = false
  #isClosed = false
  /** Null if the connection itself waits for the lock of another process. */
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

  /** Whether another process holds the write lock, so that changes wait or are refused. */
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
      const run = (isUndoable: boolean) => {
        const answer = this.#decideAndWrite(load, decide, isUndoable)
        return () => resolve(answer)
      }
      this.#waiting.push({ run, reject })
      this.#schedule()
    })
  }

  /** Commits after this turn, or once the disk is done. */
  #schedule(): void {
    // While another process holds the lock, its timer commits.
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

  /** Commits and answers what waits, and accepts no more changes. */
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
      // All are rejected: each may depend on what another wrote in the transaction that was rolled back.
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

  /** Where another process holds the lock, nothing has run: the changes wait, or are refused and never run. */
  #waitsForLock(together: readonly Waiting[], error: unknown): boolean {
    const lock = this.#writeLock
    if (lock === null || this.#isClosed || !isLocked(error)) return false
    lock.foundHeld()
    const waiting = [...together, ...this.#waiting]
    this.#waiting = lock.refusesChanges ? [] : waiting
    if (lock.refusesChanges) for (const { reject } of waiting) reject(databaseLocked(error))
    return true
  }

  /** What came while the lock was held is committed in turns like everything else. */
  #lockIsFree(): void {
    if (this.#writeLock?.isHeld !== true) return
    this.#writeLock.foundFree()
    if (this.#waiting.length > 0) this.#schedule()
  }

  #retry(): void {
    if (this.#waiting.length > 0) this.#commitWaiting()
    else if (this.#writeLock !== null) this.#probe(this.#writeLock)
  }

  /** Takes the lock and gives it back. */
  #probe(lock: WriteLock): void {
    try {
      this.#connection.transaction(() => undefined)
    } catch (error) {
      if (isLocked(error)) return lock.foundHeld()
    }
    this.#lockIsFree()
  }

  /**
   * A savepoint around a change copies every page that the change touches. So none stands there until a change has failed
   * half-way: then nothing of the group is kept, and all of it runs again, each change in a savepoint of its own.
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

  /** A rule or a write that fails takes only its own change along; a database that fails takes all. */
  #runOne({ run, reject }: Waiting, isUndoable: boolean): () => void {
    try {
      return run(isUndoable)
    } catch (error) {
      if (isUnavailable(error) || error instanceof HalfWritten) throw error
      if (!this.#connection.database.isTransaction) {
        throw new StoreUnavailable("the database rolled the transaction back", { cause: error })
      }
      return () => reject(error)
    }
  }

  #decideAndWrite<L extends Load, A>(
    load: L,
    decide: (found: Found<L>) => Decided<A>,
    isUndoable: boolean,
  ): A {
    const connection = this.#connection
    const rows: LoadedRows = new Map()
    const { answer, changes } = decide(loadRows(connection, load, rows))
    const [first] = changes
    if (first === undefined) return answer
    this.#hasWritten = true
    if (changes.length === 1 && isOneStatement(first)) {
      // SQLite itself undoes a statement that fails half-way.
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
      throw isUnavailable(error) ? error : new HalfWritten("a change failed half-way", { cause: error })
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

/** What was written must not be kept, and cannot be undone by itself. */
class HalfWritten extends Error {
  override readonly name = "HalfWritten"
}

const SEVERAL_STATEMENTS: ReadonlySet<Change["change"]> = new Set<Change["change"]>([
  "credentialAdded",
  "eventRecorded",
  "sessionSeen",
  "tallied",
])

function isOneStatement(change: Change): boolean {
  return !SEVERAL_STATEMENTS.has(change.change) && invalidationOf(change) === null
}
