/**
 * PostgreSQL as the engine's files see it: statements with `?`, rows as plain objects, numbers as numbers, flags as 0
 * and 1.
 */
import type { Connection } from "./connection.ts"
import type { Pool } from "./pool.ts"
import { asStoreError, isLockTimeout, isWorthAnotherTry } from "./postgres-error.ts"
import type { Parameter } from "./parameter.ts"
import { type Access, TableLock } from "./table-lock.ts"

export interface Reader {
  all<Row>(sql: string, ...values: Parameter[]): Promise<Row[]>
  /** The first row, or null. */
  one<Row>(sql: string, ...values: Parameter[]): Promise<Row | null>
}

export interface Writer extends Reader {
  /** Answers how many rows were written. */
  run(sql: string, ...values: Parameter[]): Promise<number>
}

const BEGIN_VIEW = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
const BEGIN = "BEGIN ISOLATION LEVEL READ COMMITTED"

/** How long a statement of lists and upkeep may take. Requests have what the connection was opened with. */
const LONG = "SET LOCAL statement_timeout = 30000"

/** A transaction that lost a race runs again so often. */
const TRIES = 8

/** One that waited in vain for a row runs again so often: three seconds in all. */
export const LOCK_TRIES = 6

export class Database {
  readonly pool: Pool
  readonly tableLock: TableLock
  /** Single statements, each in its own transaction. */
  readonly read: Reader

  constructor(pool: Pool) {
    this.pool = pool
    this.tableLock = new TableLock(pool)
    this.read = readerThat(<Row>(sql: string, ...values: Parameter[]) =>
      this.#on("read", async (connection) => (await connection.query<Row>(sql, values)).rows),
    )
  }

  /** One consistent view, read-only. Statements that are not awaited one by one share a round trip. */
  view<T>(body: (reader: Reader) => Promise<T>): Promise<T> {
    return this.#on("read", (connection) => transaction(connection, [BEGIN_VIEW, LONG], body))
  }

  /**
   * One transaction. `body` runs again where it lost a race with another: it does nothing but read and write here. What
   * nodes share and what upkeep removes is mostly in tables of its own: it is tried whatever is known to be locked.
   */
  async write<T>(body: (writer: Writer) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.use(null, (connection) => transaction(connection, [BEGIN, LONG], body))
      } catch (error) {
        const most = isLockTimeout(error) ? LOCK_TRIES : isWorthAnotherTry(error) ? TRIES : 0
        if (tries >= most) throw asStoreError(error)
      }
    }
  }

  close(): Promise<void> {
    return this.pool.close()
  }

  /**
   * Lends a connection to `body`, which leaves no transaction open on it. Throws `StoreLocked` where it meets a locked table,
   * or would: what `access` is known to meet is not begun.
   */
  async use<T>(access: Access | null, body: (connection: Connection) => Promise<T>): Promise<T> {
    if (access !== null) this.tableLock.refuse(access)
    const connection = await this.pool.borrow()
    try {
      // It may have become known while this one waited for the connection.
      if (access !== null) this.tableLock.refuse(access)
      return await body(connection)
    } catch (error) {
      throw await this.tableLock.explain(error, connection)
    } finally {
      this.pool.giveBack(connection)
    }
  }

  async #on<T>(access: Access, body: (connection: Connection) => Promise<T>): Promise<T> {
    try {
      return await this.use(access, body)
    } catch (error) {
      throw asStoreError(error)
    }
  }
}

async function transaction<T>(
  connection: Connection,
  begin: readonly string[],
  body: (writer: Writer) => Promise<T>,
): Promise<T> {
  // Not awaited: the next statement is queued behind it.
  const begun = Promise.all(begin.map((sql) => connection.query(sql, [])))
  begun.catch(() => undefined)
  try {
    const value = await body(writerOn(connection))
    await begun
    await connection.commit()
    return value
  } catch (error) {
    await connection.rollBack()
    throw error
  }
}

function writerOn(connection: Connection): Writer {
  return {
    ...readerThat(
      async <Row>(sql: string, ...values: Parameter[]) => (await connection.query<Row>(sql, values)).rows,
    ),
    run: async (sql, ...values) => (await connection.query(sql, values)).written,
  }
}

function readerThat(all: Reader["all"]): Reader {
  return {
    all,
    one: async <Row>(sql: string, ...values: Parameter[]) => (await all<Row>(sql, ...values))[0] ?? null,
  }
}
