/**
 * A statement on its way to the server. Its columns are described at its first run on a connection. The statements of a
 * trip end with one Sync, so that the server answers them in one packet. After an error, it skips the rest of the trip.
 */
import pg from "pg"
import { sqlStateOf } from "./postgres-error.ts"

/** The server's description of the rows of a statement. The value is null if it returns none. */
type Description = object | null

/** The descriptions of the statements that a connection has run, by their names. */
export type Known = Map<string | undefined, Description>

/** The methods of the driver's class, which its types leave out. */
type Driven = pg.Submittable & {
  readonly name?: string
  prepare(wire: pg.Connection): void
  handleRowDescription(description: object): void
  handleCommandComplete(message: unknown, wire: pg.Connection): void
  handleError(error: Error, wire: pg.Connection): void
}

type Callback = (error: Error | null | undefined, result: pg.QueryResult) => void

const Query = pg.Query as unknown as new (config: pg.QueryConfig, callback: Callback) => Driven
const skipped = { value: () => undefined }

export class Statement extends Query {
  /** Whether more statements of the same trip follow. */
  hasNext = false
  readonly #known: Known
  #description: Description = null

  constructor(config: pg.QueryConfig, known: Known, callback: Callback) {
    super(config, callback)
    this.#known = known
  }

  override prepare(wire: pg.Connection): void {
    const known = this.#known.get(this.name)
    const less = {
      ...(known !== undefined && { describe: skipped }),
      ...(this.hasNext && { sync: skipped }),
    }
    super.prepare(Object.create(wire, less) as pg.Connection)
    if (known) this.handleRowDescription(known)
  }

  override handleRowDescription(description: object): void {
    super.handleRowDescription(description)
    this.#description = description
  }

  override handleCommandComplete(message: unknown, wire: pg.Connection): void {
    super.handleCommandComplete(message, wire)
    this.#known.set(this.name, this.#description)
    if (this.hasNext) wire.emit("readyForQuery", { status: "T" })
  }

  /** A lost connection has already ended every statement. */
  override handleError(error: Error, wire: pg.Connection): void {
    super.handleError(error, wire)
    if (!this.hasNext || sqlStateOf(error) === null) return
    wire.emit("readyForQuery", { status: "E" })
    wire.emit("errorMessage", error)
  }
}
