/** Brings a database to this version. Schemas only ever go forward. */
import type { Connection } from "./driver/connection.ts"
import { nextStep, type Schema } from "../schema-steps.ts"
import { carryOver } from "./migrations/carry-over.ts"
import { initial } from "./migrations/0020-initial.ts"

export const schema: Schema<string> = { steps: [initial], carryOver: { from: 5, step: carryOver } }

/** An arbitrary number that never changes: the session that holds this lock migrates. */
const LOCK = 7_204_118_806

/**
 * Applies what is missing. A step and its version number commit together, so a process killed at any moment leaves a
 * database of one version or the next. Of nodes that start together one migrates, and the others wait for it and have
 * nothing left to do. The lock belongs to the transaction, so it ends with it, and works through a pooler.
 *
 * Throws where no step leads from the version of the database to this one.
 */
export async function migrate(connection: Connection, to: Schema<string> = schema): Promise<void> {
  while (nextStep(await versionOf(connection), to) !== null) await migrateOnce(connection, to)
}

async function migrateOnce(connection: Connection, to: Schema<string>): Promise<void> {
  // After the wait for the lock, a statement sees what the previous holder wrote.
  await connection.script("BEGIN ISOLATION LEVEL READ COMMITTED")
  try {
    // The lock is held for as long as a migration takes.
    await connection.script("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0")
    await connection.script(`SELECT pg_advisory_xact_lock(${LOCK})`)
    const version = await versionOf(connection)
    const next = nextStep(version, to)
    if (next !== null) {
      if (version === 0) await connection.script("CREATE TABLE schema_version (version integer NOT NULL)")
      await connection.script(next.step)
      await connection.script("DELETE FROM schema_version")
      await connection.script(`INSERT INTO schema_version (version) VALUES (${next.version})`)
    }
    await connection.script("COMMIT")
  } catch (error) {
    await connection.rollBack()
    throw error
  }
}

/** The version of the schema; 0 for an empty database. */
export async function versionOf(connection: Connection): Promise<number> {
  if ((await connection.query(IS_THERE, [])).rows.length === 0) return 0
  const { rows } = await connection.query<{ version: number }>("SELECT version FROM schema_version", [])
  return rows[0]?.version ?? 0
}

/** Reads the catalogue itself: the functions that look up a name may return a cached answer. */
const IS_THERE =
  "SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = current_schema() AND tablename = 'schema_version'"
