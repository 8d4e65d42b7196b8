/** Reads the embedded database for a move. The view is consistent, and writes are locked out. */
import { DatabaseSync } from "node:sqlite"
import type { Value } from "../codecs/value.ts"
import { openSqlite } from "../sqlite/sqlite-store.ts"
import { copyLine, Unstorable } from "./copy-text.ts"
import type { RowsDigest } from "./rows-digest.ts"
import type { CarriedTable } from "./tables.ts"

/** The move waits this long for a command that writes. A running service is detected by its directory lock. */
const BUSY_MILLISECONDS = 2000
const CHUNK_CHARACTERS = 1 << 18

export class Source {
  readonly #database: DatabaseSync

  private constructor(database: DatabaseSync) {
    this.#database = database
  }

  /** Locks the file. Throws if it is not a database, has an older schema or is in use. */
  static async open(file: string): Promise<Source> {
    await openSqlite(file).close()
    const database = new DatabaseSync(file, { timeout: BUSY_MILLISECONDS })
    try {
      database.exec("PRAGMA trusted_schema = OFF")
      // Other processes can still read, but they cannot write.
      database.exec("BEGIN IMMEDIATE")
    } catch (error) {
      database.close()
      throw error
    }
    return new Source(database)
  }

  columnsOf({ name, leftOut = [] }: CarriedTable): readonly string[] {
    const rows = this.#database.prepare("SELECT name FROM pragma_table_info(?)").all(name)
    return rows.map((row) => String(row["name"])).filter((column) => !leftOut.includes(column))
  }

  countOf({ name }: CarriedTable): number {
    return Number(this.#database.prepare(`SELECT count(*) AS count FROM ${name}`).get()?.["count"])
  }

  /** Returns the largest id that a table ever assigned. Returns 0 if it has assigned none. */
  lastOf(table: "event" | "invalidation"): number {
    const sequence = this.#database.prepare("SELECT seq AS last FROM sqlite_sequence WHERE name = ?")
    const newest = this.#database.prepare("SELECT max(id) AS last FROM event_new")
    const last = table === "invalidation" ? [sequence.get(table)] : [sequence.get("event_row"), newest.get()]
    return Math.max(...last.map((row) => Number(row?.["last"] ?? 0)))
  }

  /** Yields rows as text for COPY, and adds each row to `digest`. Calls `read` with the number of rows so far. */
  *chunks(table: CarriedTable, digest: RowsDigest, read: (rows: number) => void): Generator<Buffer> {
    const columns = this.columnsOf(table).map((name) => table.instead?.[name] ?? `"${name}"`)
    const sql = `SELECT ${columns.join(", ")} FROM ${table.name} ORDER BY ${table.order}`
    const statement = this.#database.prepare(sql, { returnArrays: true })
    let text = ""
    for (const row of statement.iterate() as unknown as Iterable<readonly Value[]>) {
      const line = lineOf(table, row, digest.count)
      digest.add(line)
      text += line
      if (text.length < CHUNK_CHARACTERS) continue
      yield Buffer.from(text)
      text = ""
      read(digest.count)
    }
    if (text !== "") yield Buffer.from(text)
    read(digest.count)
  }

  close(): void {
    this.#database.close()
  }
}

function lineOf({ name, order }: CarriedTable, row: readonly Value[], place: number): string {
  try {
    return copyLine(row)
  } catch (error) {
    if (!(error instanceof Unstorable)) throw error
    throw new Unstorable(`row ${place + 1} of the table ${name}, in the order of ${order}: ${error.message}`)
  }
}
