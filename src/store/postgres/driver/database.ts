/**
 * Access to PostgreSQL for the engine. Statements use `?` for parameters. Rows are plain objects, and flags are 0 and
 * 1.
 */
import type { Connection } from "./connection.ts"
import type { Pool } from "./pool.ts"
import { asStoreError, isLockTimeout, isWorthAnotherTry } from "./postgres-error.ts"
import type { Parameter } from "./parameter.ts"
import { type Access, TableLock } from "./table-lock.ts"

export interface Reader {
  all<Row>(sql: string, ...values: Parameter[]): Promise<Row[]>
  /** Returns the first row, or null. */
  one<Row>(sql: string, ...values: Parameter[]): Promise<Row | null>
}

export interface Writer extends Reader {
  /** Returns the number of written rows. */
  run(sql: string, ...values: Parameter[]): Promise<number>
}

const BEGIN_VIEW = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
const BEGIN = "BEGIN ISOLATION LEVEL READ COMMITTED"

/** The time limit of statements for lists and upkeep. Statements of requests keep the time limit of the connection. */
const LONG = "SET LOCAL statement_timeout = 30000"

/** The maximum number of attempts of a transaction that conflicts with another transaction. */
const TRIES = 8

/** The maximum number of attempts of a transaction that waits for a lock. Each attempt waits half a second. */
export const LOCK_TRIES = 6

export class Database {
  readonly pool: Pool
  readonly tableLock: TableLock
  /** Runs statements, each in a transaction of its own. */
  readonly read: Reader

  constructor(pool: Pool) {
    this.pool = pool
    this.tableLock = new TableLock(pool)
    this.read = readerThat(<Row>(sql: string, ...values: Parameter[]) =>
      this.#on("read", async (connection) => (await connection.query<Row>(sql, values)).rows),
    )
  }

  /** Runs `body` on one consistent, read-only view. Statements share a round trip if `body` does not await each one. */
  view<T>(body: (reader: Reader) => Promise<T>): Promise<T> {
    return this.#on("read", (connection) => transaction(connection, [BEGIN_VIEW, LONG], body))
  }

  /**
   * Runs `body` in one transaction. After a conflict, `body` runs again, so it must have no effect outside its writer.
   * A known table lock does not refuse the transaction, because upkeep and shared limits mostly use other tables.
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
   * Lends a connection to `body`, which must not leave a transaction open. Throws `StoreLocked` if a statement meets a
   * locked table. If `access` is known to be blocked, throws `StoreLocked` at once.
   */
  async use<T>(access: Access | null, body: (connection: Connection) => Promise<T>): Promise<T> {
    if (access !== null) this.tableLock.refuse(access)
    const connection = await this.pool.borrow()
    try {
      // The lock may have been found while this call waited for a connection.
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

function transaction<T>(
  connection: Connection,
  begin: readonly string[],
  body: (writer: Writer) => Promise<T>,
): Promise<T> {
  // Without an await, the next statement is sent in the same round trip.
  const begun = Promise.all(begin.map((sql) => connection.query(sql, [])))
  begun.catch(() => undefined)
  return connection.orRollBack(async () => {
    const value = await body(writerOn(connection))
    await begun
    await connection.commit()
    return value
  })
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
