/** One connection to an SQLite file, and its prepared statements. */
import { closeSync, openSync } from "node:fs"
import { DatabaseSync, type StatementSync } from "node:sqlite"
import type { Value } from "../../codecs/value.ts"
import { COMMIT_COPIES_FROM } from "./checkpointer.ts"
import { RowCache } from "./row-cache.ts"

/** The longest time that a statement waits for the transaction of another process. */
const BUSY_MILLISECONDS = 5000

export class Connection {
  readonly database: DatabaseSync
  readonly rows = new RowCache()
  readonly #statements = new Map<string, Prepared>()
  #isViewing = false

  constructor(database: DatabaseSync) {
    this.database = database
  }

  /** Returns the first row, or null. `Row` must match the selected columns. */
  one<Row>(sql: string, ...values: Value[]): Row | null {
    const prepared = this.#prepared(sql)
    const row = prepared.statement.get(...values) as unknown as unknown[] | undefined
    return row === undefined ? null : (named(prepared, row) as Row)
  }

  /** Works like `one`, but returns the row as an array. Arrays are faster for the queries of every request. */
  values<Row extends readonly unknown[]>(sql: string, ...values: Value[]): Row | null {
    return (this.#prepared(sql).statement.get(...values) as unknown as Row | undefined) ?? null
  }

  all<Row>(sql: string, ...values: Value[]): Row[] {
    const prepared = this.#prepared(sql)
    const rows = prepared.statement.all(...values) as unknown as unknown[][]
    return rows.map((row) => named(prepared, row) as Row)
  }

  /** Returns the number of rows written. */
  run(sql: string, ...values: Value[]): number {
    return Number(this.#prepared(sql).statement.run(...values).changes)
  }

  /** Returns the rowid of the new row. */
  insert(sql: string, ...values: Value[]): number {
    return Number(this.#prepared(sql).statement.run(...values).lastInsertRowid)
  }

  /** Runs `body` in one write transaction. If `body` throws, rolls the transaction back. */
  transaction<T>(body: () => T): T {
    this.#begin("BEGIN IMMEDIATE")
    try {
      const value = body()
      this.run("COMMIT")
      return value
    } catch (error) {
      this.rows.forget()
      this.rollBack()
      throw error
    }
  }

  /**
   * Runs `body` on one consistent view, which is no older than this turn of the event loop. Reads of one turn share a
   * transaction until a change ends it.
   */
  view<T>(body: () => T): T {
    if (this.#isViewing && this.database.isTransaction) return body()
    this.#begin("BEGIN")
    this.#isViewing = true
    setImmediate(() => this.#endView())
    return body()
  }

  #endView(): void {
    if (this.#isViewing) this.rollBack()
  }

  #begin(sql: "BEGIN" | "BEGIN IMMEDIATE"): void {
    this.rollBack()
    this.run(sql)
    try {
      this.rows.beginAt(this.values<[number]>("PRAGMA data_version")?.[0] ?? 0)
    } catch (error) {
      this.rollBack()
      throw error
    }
  }

  /** Ends an open transaction, unless SQLite has already rolled it back. */
  rollBack(): void {
    this.#isViewing = false
    if (this.database.isTransaction) this.run("ROLLBACK")
  }

  /** After this call, a statement fails at once if another process has the lock that the statement needs. */
  waitForNoLock(): void {
    this.run("PRAGMA busy_timeout = 0")
  }

  /** Copies as much of the log into the file as is possible without waiting for a lock. */
  copyLog(): void {
    try {
      this.#endView()
      this.run("PRAGMA wal_checkpoint(PASSIVE)")
    } catch {
      // A failed copy is harmless. The log alone is durable, and it grows until a copy succeeds.
    }
  }

  close(): void {
    this.#isViewing = false
    this.#statements.clear()
    this.database.close()
  }

  #prepared(sql: string): Prepared {
    let prepared = this.#statements.get(sql)
    if (prepared === undefined) {
      const statement = this.database.prepare(sql, { returnArrays: true })
      const names = statement.columns().map(({ name }) => name)
      prepared = { statement, names, empty: Object.fromEntries(names.map((name) => [name, null])) }
      this.#statements.set(sql, prepared)
    }
    return prepared
  }
}

/** `empty` has every column. A copy of it takes a third of the memory of an object that grows. */
type Prepared = Readonly<{ statement: StatementSync; names: readonly string[]; empty: Named }>
type Named = Readonly<Record<string, unknown>>

/** Creates plain objects of the same shape. Objects from SQLite's binding take three times as long to read. */
function named({ names, empty }: Prepared, row: readonly unknown[]): Named {
  const object = { ...empty }
  for (let i = 0; i < names.length; i++) object[names[i] ?? ""] = row[i]
  return object
}

/** Opens `file` for writing. Creates the file and its log with mode 0600 if needed. */
export function connect(file: string, busyMilliseconds = BUSY_MILLISECONDS): Connection {
  makePrivate(file)
  const database = new DatabaseSync(file, { timeout: busyMilliseconds })
  try {
    for (const pragma of settings) database.exec(`PRAGMA ${pragma}`)
    useWriteAheadLog(database)
  } catch (error) {
    database.close()
    throw error
  }
  return new Connection(database)
}

/** Opens `file` for reading, while a server may run. */
export function connectToRead(file: string, busyMilliseconds = BUSY_MILLISECONDS): Connection {
  const database = new DatabaseSync(file, { timeout: busyMilliseconds, readOnly: true })
  database.exec("PRAGMA trusted_schema = OFF")
  return new Connection(database)
}

const settings = [
  "trusted_schema = OFF",
  // `log-sync.ts` waits for the disk without blocking the event loop.
  "synchronous = NORMAL",
  // On Apple systems, fsync alone does not write to the disk.
  "fullfsync = ON",
  "checkpoint_fullfsync = ON",
  "temp_store = MEMORY",
  "cache_size = -8192",
  `wal_autocheckpoint = ${COMMIT_COPIES_FROM}`,
  // This limit shrinks a log that has grown during a long backup.
  "journal_size_limit = 67108864",
]

function makePrivate(file: string): void {
  if (file === ":memory:") return
  try {
    closeSync(openSync(file, "wx", 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
  }
}

/** Two processes that start together must try again, because SQLite does not wait for a lock here. */
function useWriteAheadLog(database: DatabaseSync): void {
  const pause = new Int32Array(new SharedArrayBuffer(4))
  for (let tries = 0; ; tries++) {
    try {
      database.exec("PRAGMA journal_mode = WAL")
      return
    } catch (error) {
      if (tries === 100) throw error
      Atomics.wait(pause, 0, 0, 20)
    }
  }
}
