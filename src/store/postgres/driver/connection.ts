/** One connection to the server. Statements of one turn of the event loop are sent together, in one round trip. */
import type { Duplex } from "node:stream"
import pg from "pg"
import { numbered } from "./placeholders.ts"
import { ConnectionLost, sqlStateOf } from "./postgres-error.ts"
import { withoutNul } from "./without-nul.ts"
import type { Parameter } from "./parameter.ts"

export type Answered<Row> = { readonly rows: Row[]; readonly written: number; readonly command: string }

/** As the rows have it: numbers are numbers, and flags are 0 and 1. */
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number)
types.setTypeParser(pg.types.builtins.NUMERIC, Number)
types.setTypeParser(pg.types.builtins.BOOL, (text) => (text === "t" ? 1 : 0))

/** SQLSTATEs of a server that ends this connection, or that became read-only. */
const USELESS = /^(57P|25006|25P03|08)/

/** Codes that only follow from an earlier error, which is reported instead: transaction aborted, statement not prepared. */
const IGNORED = /^(25P02|26000)$/

export class Connection {
  readonly #client: pg.Client
  readonly #unanswered: number[] = []
  #failure: Error | null = null
  #heardAt = 0
  /** What the server answered last, where that was an error: those that were sent behind it fail for its reason. */
  #failedBy: Error | null = null
  #isGathering = false

  private constructor(client: pg.Client) {
    this.#client = client
    client.on("error", (error) => this.#fail(error))
    client.on("end", () => this.#fail(new ConnectionLost("the connection has ended")))
  }

  /** Throws where the server is not there within `milliseconds`, or refuses. */
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

  /** Why the connection is unusable; null while it works. */
  get failure(): Error | null {
    return this.#failure
  }

  /** When the server last answered, as `performance.now()` has it. */
  get heardAt(): number {
    return this.#heardAt
  }

  /** For how long the server has owed an answer, in milliseconds of `performance.now()`. */
  silentFor(now: number): number {
    const [oldest] = this.#unanswered
    return oldest === undefined ? 0 : now - Math.max(oldest, this.#heardAt)
  }

  query<Row>(sql: string, values: readonly Parameter[]): Promise<Answered<Row>> {
    return this.#send<Row>({ ...numbered(sql), values: withoutNul(values) })
  }

  /** Several statements in one text, without parameters. */
  async script(sql: string): Promise<void> {
    await this.#send({ text: sql })
  }

  /** Ends a transaction for good. Throws where the server undid it instead. */
  async commit(): Promise<void> {
    const { command } = await this.query("COMMIT", [])
    if (command !== "COMMIT") throw new Error("the database undid the transaction instead of committing it")
  }

  /** Leaves no transaction open; a connection on which that fails is thrown away. */
  async rollBack(): Promise<void> {
    if (this.#failure !== null) return
    try {
      await this.query("ROLLBACK", [])
    } catch (error) {
      this.destroy(error as Error)
    }
  }

  /** Closes it at once; pending statements fail. */
  destroy(reason: Error): void {
    this.#fail(reason)
    this.#stream.destroy()
  }

  /** Says goodbye without waiting long for an answer. */
  async end(): Promise<void> {
    const late = setTimeout(() => this.destroy(new ConnectionLost("no goodbye")), 500)
    await this.#client.end()
    clearTimeout(late)
  }

  get #stream(): Duplex {
    return (this.#client as unknown as { readonly connection: { readonly stream: Duplex } }).connection.stream
  }

  /** Buffers statements until the end of this turn, so that they leave in one packet. */
  #gather(): void {
    if (this.#isGathering) return
    this.#isGathering = true
    const stream = this.#stream
    stream.cork()
    process.nextTick(() => {
      this.#isGathering = false
      stream.uncork()
    })
  }

  #fail(error: Error): void {
    this.#failure ??= error
  }

  #send<Row>(config: pg.QueryConfig): Promise<Answered<Row>> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== null) return reject(this.#lost(this.#failure))
      this.#gather()
      this.#unanswered.push(performance.now())
      this.#client.query(config, (error: Error | undefined | null, result: pg.QueryResult) => {
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
    })
  }

  #lost(error: Error): Error {
    if (sqlStateOf(error) !== null || error instanceof ConnectionLost) return error
    return this.#failure === null ? error : new ConnectionLost("the connection was lost", { cause: error })
  }
}
