/** One connection to the server. Statements of one turn of the event loop are sent in one round trip. */
import type { Duplex } from "node:stream"
import pg from "pg"
import { numbered } from "./placeholders.ts"
import { ConnectionLost, sqlStateOf } from "./postgres-error.ts"
import { withoutNul } from "./without-nul.ts"
import type { Parameter } from "./parameter.ts"
import { type Known, Statement } from "./statement.ts"

export type Answered<Row> = { readonly rows: Row[]; readonly written: number; readonly command: string }

/** Converts values for rows. Numbers become numbers, and booleans become 0 and 1. */
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number)
types.setTypeParser(pg.types.builtins.NUMERIC, Number)
types.setTypeParser(pg.types.builtins.BOOL, (text) => (text === "t" ? 1 : 0))

/** After an error with such an SQLSTATE, the connection cannot be used. The server closes it or accepts no writes. */
const USELESS = /^(57P|25006|25P03|08)/

/**
 * These SQLSTATEs follow from an earlier error that was reported: a transaction was aborted, or a statement was not
 * prepared.
 */
const IGNORED = /^(25P02|26000)$/

export class Connection {
  readonly #client: pg.Client
  readonly #known: Known = new Map()
  readonly #unanswered: number[] = []
  #failure: Error | null = null
  #heardAt = 0
  /** The last error of the server. Statements that were sent after the failed statement get this error too. */
  #failedBy: Error | null = null
  /** The statements of a trip that is not sent yet. */
  #trip: Statement[] | null = null

  private constructor(client: pg.Client) {
    this.#client = client
    client.on("error", (error) => this.#fail(error))
    client.on("end", () => this.#fail(new ConnectionLost("the connection has ended")))
  }

  /** Opens a connection. Throws if the server does not answer within `milliseconds` or refuses the connection. */
  static async open(config: pg.ClientConfig, milliseconds: number): Promise<Connection> {
    const client = new pg.Client({ ...config, types, pipeline: true, connectionTimeoutMillis: milliseconds })
    const connection = new Connection(client)
    try {
      await client.connect()
      return connection
    } catch (error) {
      connection.destroy(error as Error)
      if (sqlStateOf(error) !== null || (error instanceof Error && "syscall" in error)) throw error
      throw new ConnectionLost((error as Error).message, { cause: error })
    }
  }

  /** The error that made the connection unusable. The value is null while it works. */
  get failure(): Error | null {
    return this.#failure
  }

  /** The time of the server's last answer, on the clock of `performance.now()`. */
  get heardAt(): number {
    return this.#heardAt
  }

  /**
   * Returns how many milliseconds a statement has waited without an answer. Returns 0 if no statement waits. `now` is
   * from `performance.now()`.
   */
  silentFor(now: number): number {
    const [oldest] = this.#unanswered
    return oldest === undefined ? 0 : now - Math.max(oldest, this.#heardAt)
  }

  query<Row>(sql: string, values: readonly Parameter[]): Promise<Answered<Row>> {
    return this.#send<Row>({ ...numbered(sql), values: withoutNul(values) })
  }

  /**
   * Sends the statements of `send` as one trip. After an error, none of the later ones runs, not even a COMMIT or a
   * ROLLBACK.
   */
  together<T>(send: () => T): T {
    const trip: Statement[] = (this.#trip = [])
    let sent: T
    try {
      sent = send()
    } finally {
      this.#trip = null
    }
    for (const [i, statement] of trip.entries()) {
      statement.hasNext = i < trip.length - 1
      this.#client.query(statement)
    }
    return sent
  }

  /** Runs a text with several statements and without parameters. */
  async script(sql: string): Promise<void> {
    await this.#send({ text: sql })
  }

  /** Commits a transaction. Throws if the server rolled the transaction back. */
  async commit(): Promise<void> {
    const { command } = await this.query("COMMIT", [])
    if (command !== "COMMIT")
      throw new Error("the database rolled back the transaction instead of committing it")
  }

  /** Rolls back an open transaction. If the rollback fails, destroys the connection. */
  async rollBack(): Promise<void> {
    if (this.#failure !== null) return
    try {
      await this.query("ROLLBACK", [])
    } catch (error) {
      this.destroy(error as Error)
    }
  }

  /** Runs `body`. If it fails, rolls back its transaction. */
  async orRollBack<T>(body: () => Promise<T>): Promise<T> {
    try {
      return await body()
    } catch (error) {
      await this.rollBack()
      throw error
    }
  }

  /** Closes the connection at once. Pending statements fail. */
  destroy(reason: Error): void {
    this.#fail(reason)
    this.#stream.destroy()
  }

  /** Closes the connection. Waits at most half a second for the server. */
  async end(): Promise<void> {
    const late = setTimeout(
      () => this.destroy(new ConnectionLost("the server did not close the connection in time")),
      500,
    )
    await this.#client.end()
    clearTimeout(late)
  }

  get #stream(): Duplex {
    return (this.#client as unknown as { readonly connection: { readonly stream: Duplex } }).connection.stream
  }

  #fail(error: Error): void {
    this.#failure ??= error
  }

  #send<Row>(config: pg.QueryConfig): Promise<Answered<Row>> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== null) return reject(this.#lost(this.#failure))
      // The statements of this turn leave in one packet.
      this.#stream.cork()
      process.nextTick(() => this.#stream.uncork())
      this.#unanswered.push(performance.now())
      const statement = new Statement(config, this.#known, (error, result) => {
        this.#unanswered.shift()
        this.#heardAt = performance.now()
        if (!error) {
          this.#failedBy = null
          return resolve({
            rows: result.rows as Row[],
            written: result.rowCount ?? 0,
            command: result.command,
          })
        }
        const state = sqlStateOf(error) ?? ""
        if (USELESS.test(state)) this.destroy(error)
        if (!IGNORED.test(state)) this.#failedBy = error
        reject(this.#lost(this.#failedBy ?? error))
      })
      if (this.#trip === null) this.#client.query(statement)
      else this.#trip.push(statement)
    })
  }

  #lost(error: Error): Error {
    if (sqlStateOf(error) !== null || error instanceof ConnectionLost) return error
    return this.#failure === null ? error : new ConnectionLost("the connection was lost", { cause: error })
  }
}
