/** The PostgreSQL database that a move fills in one transaction. In the end, it contains everything or nothing. */
import pg from "pg"
import { type DatabaseAddress, parseAddress } from "../postgres/driver/address.ts"
import { openDatabase } from "../postgres/open-database.ts"
import { asStartProblem } from "../postgres/driver/start-problem.ts"
import type { Progress } from "../list-shapes.ts"
import { copyIn, copyOut } from "./copy-stream.ts"
import { NotATarget } from "./move-failed.ts"
import { type CarriedTable, carriedTables } from "./tables.ts"

const CONNECT_MILLISECONDS = 10_000

export class Target {
  readonly #client: pg.Client
  #indexes: readonly string[] = []

  private constructor(client: pg.Client) {
    this.#client = client
  }

  /** Connects, creates the tables and locks them exclusively. Throws `NotATarget` if the database is not empty. */
  static async open(url: string): Promise<Target> {
    const address = parseAddress(url)
    const target = new Target(await connected(address))
    try {
      await target.#mustBeOurs()
      await (await openDatabase(url, { poolSize: 2 })).close()
      await target.#begin()
      return target
    } catch (error) {
      await target.close()
      throw error
    }
  }

  async #mustBeOurs(): Promise<void> {
    const others = await this.#value(
      `SELECT count(*) AS value FROM pg_class
       WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm')
         AND to_regclass('schema_version') IS NULL`,
    )
    if (others !== "0") throw new NotATarget("it holds tables of another application")
  }

  async #begin(): Promise<void> {
    const names = [...carriedTables.map(({ name }) => name), "invalidation_last"]
    for (const sql of [
      "BEGIN",
      "SET LOCAL lock_timeout = '5s'",
      "SET LOCAL statement_timeout = 0",
      "SET LOCAL idle_in_transaction_session_timeout = 0",
      "SET LOCAL synchronous_commit = on",
      "SET LOCAL client_encoding = 'UTF8'",
      "SET LOCAL bytea_output = 'hex'",
      "SET LOCAL maintenance_work_mem = '256MB'",
      `LOCK TABLE ${names.join(", ")} IN ACCESS EXCLUSIVE MODE`,
    ])
      await this.#client.query(sql)
    for (const { name } of carriedTables)
      if ((await this.#value(`SELECT EXISTS (SELECT 1 FROM ${name}) AS value`)) === "true")
        throw new NotATarget(`its table ${name} holds rows already`)
    await this.#dropIndexes()
  }

  /** Drops all indexes except those of keys. It is much faster to create them after the rows. */
  async #dropIndexes(): Promise<void> {
    const { rows } = await this.#client.query<{ indexname: string; indexdef: string }>(
      `SELECT indexname, indexdef FROM pg_indexes
       WHERE schemaname = current_schema() AND tablename = ANY ($1) AND NOT EXISTS
         (SELECT 1 FROM pg_constraint WHERE conname = indexname AND connamespace = current_schema()::regnamespace)
       ORDER BY indexname`,
      [carriedTables.map(({ name }) => name)],
    )
    this.#indexes = rows.map(({ indexdef }) => indexdef)
    for (const { indexname } of rows) await this.#client.query(`DROP INDEX "${indexname}"`)
  }

  async fill(table: CarriedTable, columns: readonly string[], chunks: Iterable<Buffer>): Promise<void> {
    await copyIn(this.#client, `COPY ${table.name} (${quoted(columns)}) FROM STDIN`, chunks)
  }

  /** Sets the sequences, so that new ids continue after these ids. */
  async goOnAfter(lastEvent: number, lastInvalidation: number): Promise<void> {
    await this.#client.query("SELECT setval(pg_get_serial_sequence('event', 'id'), $1, $2)", [
      Math.max(lastEvent, 1),
      lastEvent > 0,
    ])
    await this.#client.query("UPDATE invalidation_last SET id = $1", [lastInvalidation])
  }

  async makeIndexes(progress: Progress): Promise<void> {
    for (const [i, sql] of this.#indexes.entries()) {
      progress(i, this.#indexes.length)
      await this.#client.query(sql)
    }
    await this.#client.query("ANALYZE")
  }

  /** Reads the rows back from the server, in no particular order. */
  async rows(table: CarriedTable, columns: readonly string[], take: (row: Buffer) => void): Promise<void> {
    await copyOut(this.#client, `COPY ${table.name} (${quoted(columns)}) TO STDOUT`, take)
  }

  async commit(): Promise<void> {
    await this.#client.query("COMMIT")
  }

  /** Closes the connection. The server undoes everything that is not committed. */
  async close(): Promise<void> {
    await this.#client.end().catch(() => undefined)
  }

  async #value(sql: string): Promise<string> {
    const { rows } = await this.#client.query<{ value: unknown }>(sql)
    return String(rows[0]?.value)
  }
}

async function connected(address: DatabaseAddress): Promise<pg.Client> {
  const { url } = address
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MILLISECONDS })
  // If the connection is lost, the pending statement fails too. This listener therefore does nothing.
  client.on("error", () => undefined)
  try {
    await client.connect()
    return client
  } catch (error) {
    // A server that waits for a password would keep the process running for a minute, until its timeout.
    client.end().catch(() => undefined)
    throw asStartProblem(error, address)
  }
}

function quoted(columns: readonly string[]): string {
  return columns.map((column) => `"${column}"`).join(", ")
}
