/**
 * The database of a test. The variable `LATCHKEY_TEST_STORE` chooses the engine, and the default is the embedded one.
 * All processes that use a directory share its database. Code of an engine is loaded when it is needed.
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
  /** The environment with which a command uses this database. */
  readonly environment: Readonly<Record<string, string>>
  /** Opens a new store on this database. The caller closes it. */
  readonly open: () => Promise<Store>
  /**
   * Runs a statement on a separate connection, whatever the service does meanwhile. Each `?` stands for one of
   * `values`.
   */
  readonly rows: (sql: string, ...values: readonly string[]) => Promise<Row[]>
  readonly drop: () => Promise<void>
}

/**
 * The engine of this run. Tests of files, locks and backups are skipped on PostgreSQL, because only the embedded engine
 * has them.
 */
export const ENGINE: Engine = engineOf(process.env["LATCHKEY_TEST_STORE"])

const BUSY_MILLISECONDS = 5000

const databases = new Map<string, Promise<TestDatabase>>()

/** Sets which database a directory has. */
export function keepIn(dir: string, database: TestDatabase): void {
  databases.set(dir, Promise.resolve(database))
}

/** Returns the database of a directory. It is created at the first call. */
export function databaseIn(dir: string, engine: Engine = ENGINE): Promise<TestDatabase> {
  const known = databases.get(dir)
  if (known !== undefined) return known
  const made = engine === "sqlite" ? Promise.resolve(sqliteIn(dir)) : newPostgres()
  databases.set(dir, made)
  return made
}

/** Deletes the database of a directory. */
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
    open: () => Promise.resolve(openSqlite(file, { mayMigrate: true })),
    rows: async (sql, ...values) => {
      // A killed service leaves a log. The next service recovers it, and reads wait for that.
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

/** Returns an existing database. */
export function postgresAt(url: string, drop: () => Promise<void> = () => Promise.resolve()): TestDatabase {
  return {
    engine: "postgres",
    environment: { LATCHKEY_DATABASE_URL: url, LATCHKEY_SECRET_KEY: randomBytes(32).toString("base64url") },
    open: async () =>
      (await import("../../src/store/postgres/postgres-store.ts")).openPostgres(url, { mayMigrate: true }),
    rows: async (sql, ...values) => (await import("./postgres.ts")).rowsOf(url, sql, ...values),
    drop,
  }
}

/**
 * Returns every row of every table in a fixed order. What the embedded engine keeps in memory or in a separate file is
 * left out.
 */
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

/**
 * Sorts rows as texts, because PostgreSQL returns them in the order in which they were last written. The first column
 * of most tables is the id.
 */
function byText(one: Row, other: Row): number {
  const [a, b] = [JSON.stringify(one), JSON.stringify(other)]
  return a < b ? -1 : a > b ? 1 : 0
}

function engineOf(name: string | undefined): Engine {
  if (name === undefined || name === "" || name === "sqlite") return "sqlite"
  if (name === "postgres") return "postgres"
  throw new Error(`LATCHKEY_TEST_STORE is sqlite or postgres, not "${name}"`)
}
