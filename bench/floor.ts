/**
 * The floor of a refresh: a server as bare as `bare.ts` that keeps what a response says. It looks up one row by its
 * key, as wide as a credential, and rewrites it. The requests of a turn share a commit, and their responses leave when
 * it is on disk. Nothing is parsed or decided.
 *
 *   node bench/floor.ts FILE DATABASE
 *
 * FILE contains the response. DATABASE is a new file for SQLite, or the URL of a PostgreSQL.
 */
import { fdatasync, openSync, readFileSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { promisify } from "node:util"
import pg from "pg"
import { binaryArray } from "../src/store/postgres/driver/binary-array.ts"
import { serve } from "./answering.ts"
import { WIDTH } from "./pgbench.ts"
import type { Answer } from "./wire.ts"

type Commit = (keys: readonly number[]) => Promise<void>

const ROWS = 50_000

const [file = "", database = ""] = process.argv.slice(2)
const { refresh } = JSON.parse(readFileSync(file, "utf8")) as { readonly refresh: Answer }
const commit = database.startsWith("postgres:") ? await onPostgres(database) : onSqlite(database)
let waiting: ((isDone: boolean) => void)[] = []
let isCommitting = false
let isDue = false
let last = 0

await serve({ refresh }, () => kept)

function kept(): Promise<boolean> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    schedule()
  })
}

function schedule(): void {
  if (isDue || isCommitting || waiting.length === 0) return
  isDue = true
  setImmediate(() => void commitAll())
}

async function commitAll(): Promise<void> {
  isDue = false
  isCommitting = true
  const together = waiting
  waiting = []
  await commit(together.map(() => (last = (last % ROWS) + 1)))
  for (const answer of together) answer(true)
  isCommitting = false
  schedule()
}

function onSqlite(path: string): Commit {
  const sqlite = new DatabaseSync(path)
  // As in the service, the log is synced beside the event loop.
  sqlite.exec(`
    PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
    CREATE TABLE floor (key INTEGER PRIMARY KEY, value BLOB NOT NULL);
    WITH RECURSIVE row (key) AS (SELECT 1 UNION ALL SELECT key + 1 FROM row WHERE key < ${ROWS})
    INSERT INTO floor SELECT key, randomblob(${WIDTH}) FROM row`)
  const log = openSync(`${path}-wal`, "r+")
  const sync = promisify(fdatasync)
  const [begin, end] = [sqlite.prepare("BEGIN IMMEDIATE"), sqlite.prepare("COMMIT")]
  const read = sqlite.prepare("SELECT value FROM floor WHERE key = ?", { returnArrays: true })
  const write = sqlite.prepare("UPDATE floor SET value = ? WHERE key = ?")
  return async (keys) => {
    begin.run()
    for (const key of keys) {
      const [value] = read.get(key) as unknown as [Uint8Array]
      write.run(changed(value), key)
    }
    end.run()
    await sync(log)
  }
}

async function onPostgres(url: string): Promise<Commit> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`
    CREATE TABLE floor (key integer PRIMARY KEY, value bytea NOT NULL);
    ALTER TABLE floor ALTER COLUMN value SET STORAGE PLAIN;
    INSERT INTO floor SELECT key, decode(repeat(md5(key::text), ${Math.ceil(WIDTH / 16)}), 'hex')
    FROM generate_series(1, ${ROWS}) AS key`)
  await client.query("VACUUM ANALYZE floor")
  process.once("SIGTERM", () => void client.end())
  const read = { name: "read", text: "SELECT key, value FROM floor WHERE key = ANY($1::integer[])" }
  const write = {
    name: "write",
    text: `UPDATE floor SET value = row.value FROM unnest($1::integer[], $2::bytea[]) AS row (key, value)
           WHERE floor.key = row.key`,
  }
  return async (keys) => {
    const { rows } = await client.query<{ key: number; value: Uint8Array }>({
      ...read,
      values: [binaryArray("integer", keys)],
    })
    const values = rows.map(({ value }) => changed(value))
    const own = rows.map(({ key }) => key)
    await client.query({ ...write, values: [binaryArray("integer", own), binaryArray("bytea", values)] })
  }
}

function changed(value: Uint8Array): Uint8Array {
  value[0] = ((value[0] ?? 0) + 1) % 256
  return value
}
