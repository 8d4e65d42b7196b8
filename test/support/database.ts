/**
 * The database of a test, on either engine: the variable `LATCHKEY_TEST_STORE` says which; where it says nothing, it is
 * the embedded one. A directory has one database, shared by all its processes. What one engine needs is loaded where it is used.
 */
import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { openSqlite } from "../../src/store/sqlite/sqlite-store.ts"
import type { Store } from "../../src/store/store.ts"

export type Engine = "sqlite" | "postgres"
export type Row = Record<string, unknown>

export type TestDatabase = {
  readonly engine: Engine
  /** What a command needs in its environment to use it. */
  readonly environment: Readonly<Record<string, string>>
  /** A store of its own on it; the caller closes it. */
  readonly open: () => Promise<Store>
  /** Runs a statement on a connection of its own, whatever the service does meanwhile; `?` stand for `values`. */
  readonly rows: (sql: string, ...values: readonly string[]) => Promise<Row[]>
  readonly drop: () => Promise<void>
}

/** What this run is about. A test of a file, a lock or a backup, which only the embedded engine has, is left out elsewhere. */
export const ENGINE: Engine = engineOf(process.env["LATCHKEY_TEST_STORE"])

const BUSY_MILLISECONDS = 5000

const databases = new Map<string, Promise<TestDatabase>>()

/** Says which database a directory has. */
export function keepIn(dir: string, database: TestDatabase): void {
  databases.set(dir, Promise.resolve(database))
}

/** The database that belongs to a directory; made when it is asked for first. */
export function databaseIn(dir: string, engine: Engine = ENGINE): Promise<TestDatabase> {
  const known = databases.get(dir)
  if (known !== undefined) return known
  const made = engine === "sqlite" ? Promise.resolve(sqliteIn(dir)) : newPostgres()
  databases.set(dir, made)
  return made
}

/** With its directory goes a database. */
export async function dropDatabase(dir: string): Promise<void> {
  const known = databases.get(dir)
  databases.delete(dir)
  await (await known)?.drop()
}

function sqliteIn(dir: string): TestDatabase {
  const file = join(dir, "latchkey.db")
  return {
    engine: "sqlite",
    environment: {},
    open: () => Promise.resolve(openSqlite(file)),
    rows: async (sql, ...values) => {
      // A killed service leaves a log that the next one recovers, and reads wait for that.
      const database = new DatabaseSync(file, { timeout: BUSY_MILLISECONDS })
      try {
        return database.prepare(sql).all(...values) as Row[]
      } finally {
        database.close()
      }
    },
    drop: () => Promise.resolve(),
  }
}

async function newPostgres(): Promise<TestDatabase> {
  const { freshDatabase } = await import("./postgres.ts")
  const { url, drop } = await freshDatabase({ migrated: true })
  return postgresAt(url, drop)
}

/** One that is there already. */
export function postgresAt(url: string, drop: () => Promise<void> = () => Promise.resolve()): TestDatabase {
  return {
    engine: "postgres",
    environment: { LATCHKEY_DATABASE_URL: url, LATCHKEY_SECRET_KEY: randomBytes(32).toString("base64url") },
    open: async () => (await import("../../src/store/postgres/postgres-store.ts")).openPostgres(url),
    rows: async (sql, ...values) => (await import("./postgres.ts")).rowsOf(url, sql, ...values),
    drop,
  }
}

/** Every row of every table, in one order. What the embedded engine keeps in memory or in a file of its own is left out. */
export async function everythingIn(database: TestDatabase): Promise<Record<string, Row[]>> {
  const named = await database.rows(TABLES[database.engine])
  const names = named.map(({ name }) => String(name)).toSorted()
  const tables = names.map(async (name): Promise<[string, Row[]]> => {
    const rows = await database.rows(`SELECT * FROM "${name}"`)
    return [name, database.engine === "sqlite" ? rows : rows.toSorted(byText)]
  })
  return Object.fromEntries(await Promise.all(tables))
}

const TABLES: Readonly<Record<Engine, string>> = {
  sqlite: "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')",
  postgres:
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename NOT IN ('spent', 'rotation_key')",
}

/** PostgreSQL gives rows in the order in which they were written last. The first column is the id of most. */
function byText(one: Row, other: Row): number {
  const [a, b] = [JSON.stringify(one), JSON.stringify(other)]
  return a < b ? -1 : a > b ? 1 : 0
}

function engineOf(name: string | undefined): Engine {
  if (name === undefined || name === "" || name === "sqlite") return "sqlite"
  if (name === "postgres") return "postgres"
  throw new Error(`LATCHKEY_TEST_STORE is sqlite or postgres, not "${name}"`)
}
