/** One connection to the server. Statements that are sent in one turn go out together: a round trip for all of them. */
import pg from "pg"
import type { Value } from "../rows/value.ts"
import { numbered } from "./placeholders.ts"
import { ConnectionLost, sqlStateOf } from "./postgres-error.ts"

export type Answered<Row> = { readonly rows: Row[]; readonly written: number; readonly command: string }

/** As the rows have it: numbers are numbers, and flags are 0 and 1. */
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number)
types.setTypeParser(pg.types.builtins.NUMERIC, Number)
types.setTypeParser(pg.types.builtins.BOOL, (text) => (text === "t" ? 1 : 0))

export class Connection {
  readonly #client: pg.Client
  #failure: Error | null = null

  private constructor(client: pg.Client) {
    this.#client = client
    client.on("error", (error) => this.#fail(error))
    client.on("end", () => this.#fail(new ConnectionLost("the connection has ended")))
  }

  /** Throws where the server is not there, or refuses. */
  static async open(config: pg.ClientConfig): Promise<Connection> {
    const client = new pg.Client({ ...config, types, pipeline: true })
    const connection = new Connection(client)
    try {
      await client.connect()
    } catch (error) {
      connection.destroy(new ConnectionLost("it never was one"))
      throw error
    }
    return connection
  }

  /** Why nothing can be sent on it any more; null while it works. */
  get failure(): Error | null {
    return this.#failure
  }

  query<Row>(sql: string, values: readonly (Value | readonly Value[])[]): Promise<Answered<Row>> {
    return this.#send<Row>({ ...numbered(sql), values: values as unknown[] })
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

  /** Drops it at once; whatever was under way on it fails with `reason`. */
  destroy(reason: Error): void {
    this.#fail(reason)
    const { stream } = (this.#client as unknown as { connection: { stream: { destroy(): void } } }).connection
    stream.destroy()
  }

  async end(): Promise<void> {
    await this.#client.end()
  }

  #fail(error: Error): void {
    this.#failure ??= error
  }

  #send<Row>(config: pg.QueryConfig): Promise<Answered<Row>> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== null) return reject(this.#lost(this.#failure))
      this.#client.query(config, (error: Error | undefined, result: pg.QueryResult) => {
        if (error) reject(this.#lost(error))
        else resolve({ rows: result.rows as Row[], written: result.rowCount ?? 0, command: result.command })
      })
    })
  }

  #lost(error: Error): Error {
    if (sqlStateOf(error) !== null || error instanceof ConnectionLost) return error
    return this.#failure === null ? error : new ConnectionLost("the connection was lost", { cause: error })
  }
}
