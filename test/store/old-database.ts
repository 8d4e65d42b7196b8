/** Databases of earlier versions, and what is compared with a new one. */
import { join } from "node:path"
import type { TestContext } from "node:test"
import {
  databaseIn,
  type Engine,
  everythingIn,
  postgresAt,
  type Row,
  type TestDatabase,
} from "../support/database.ts"
import { freshDatabase } from "../support/postgres.ts"
import { fillOldPostgres, fillOldSqlite } from "./before-squash.ts"
import { scratchDirectory } from "./scratch.ts"

/** Returns a database from before the squash, and where it is: a file or a URL. */
export async function oldDatabase(
  t: TestContext,
  engine: Engine,
): Promise<TestDatabase & { readonly place: string }> {
  if (engine === "postgres") {
    const url = await emptyPostgres(t)
    await fillOldPostgres(url)
    return { ...postgresAt(url), place: url }
  }
  const dir = scratchDirectory(t)
  const place = join(dir, "latchkey.db")
  fillOldSqlite(place)
  return { ...(await databaseIn(dir, "sqlite")), place }
}

/** Returns the schema of a new database. */
export async function freshSchema(t: TestContext, engine: Engine): Promise<Row[]> {
  const fresh =
    engine === "sqlite" ? await databaseIn(scratchDirectory(t), engine) : postgresAt(await emptyPostgres(t))
  await (await fresh.open()).close()
  return schemaOf(fresh)
}

export function schemaOf(database: TestDatabase): Promise<Row[]> {
  return database.rows(SCHEMA[database.engine])
}

export async function contentOf(database: TestDatabase): Promise<Record<string, Row[]>> {
  const content = await everythingIn(database)
  for (const rows of Object.values(content))
    rows.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  delete content["schema_version"]
  return content
}

/** Returns the tables and columns that `before` also has, because later steps add others. */
export function oldPart(
  content: Record<string, Row[]>,
  before: Record<string, Row[]>,
): Record<string, Row[]> {
  const old = Object.entries(content).filter(([table]) => before[table] !== undefined)
  return Object.fromEntries(
    old.map(([table, rows]) => {
      const columns = Object.keys(before[table]?.[0] ?? {})
      const part = (row: Row) => Object.fromEntries(columns.map((column) => [column, row[column] ?? null]))
      return [table, rows.map(part)]
    }),
  )
}

const SCHEMA: Readonly<Record<Engine, string>> = {
  sqlite:
    "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY name",
  postgres: `
    SELECT conrelid::regclass::text || ' ' || pg_get_constraintdef(oid) AS is FROM pg_constraint
      WHERE connamespace = 'public'::regnamespace AND contype <> 'n'
    UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL SELECT concat_ws(' ', table_name, column_name, data_type, collation_name, is_nullable, column_default)
      FROM information_schema.columns WHERE table_schema = 'public'
    UNION ALL SELECT concat_ws(' ', relname, relpersistence, reloptions::text) FROM pg_class
      WHERE relnamespace = 'public'::regnamespace
    UNION ALL SELECT concat_ws(' ', tgrelid::regclass, tgname) FROM pg_trigger WHERE NOT tgisinternal
    ORDER BY 1`,
}

async function emptyPostgres(t: TestContext): Promise<string> {
  const { url, drop } = await freshDatabase()
  t.after(drop)
  return url
}
