/** Brings a database to this version. Schemas only ever go forward. */
import type { Connection } from "./driver/connection.ts"
import { initial } from "./migrations/0001-initial.ts"
import { deviceGrantRetention } from "./migrations/0002-device-grant-retention.ts"
import { rotationKeys } from "./migrations/0003-rotation-keys.ts"
import { unusedApps } from "./migrations/0004-unused-apps.ts"
import { codeTries } from "./migrations/0005-code-tries.ts"

/** In order, never edited once released: the n-th brings a database from version n − 1 to n. */
export const migrations: readonly string[] = [
  initial,
  deviceGrantRetention,
  rotationKeys,
  unusedApps,
  codeTries,
]

/** Any number, as long as it is always the same: who holds it migrates. */
const LOCK = 7_204_118_806

/**
 * Applies what is missing. Each migration and its version number commit together, so a process killed at any moment
 * leaves a database of one version or the next; of nodes that start together one migrates, and the others wait for it and
 * find it done. The lock belongs to the transaction, so that it goes with it, and works through a pooler.
 *
 * Throws where the database was written by a newer version of the service.
 */
export async function migrate(connection: Connection, steps: readonly string[] = migrations): Promise<void> {
  for (let version = await versionOf(connection); version !== steps.length;) {
    refuseNewer(version, steps.length)
    version = await migrateOnce(connection, steps)
  }
}

async function migrateOnce(connection: Connection, steps: readonly string[]): Promise<number> {
  // What the one before wrote while this one waited is seen.
  await connection.script("BEGIN ISOLATION LEVEL READ COMMITTED")
  try {
    // Whoever waits here waits for a migration, which takes as long as it takes.
    await connection.script("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0")
    await connection.script(`SELECT pg_advisory_xact_lock(${LOCK})`)
    const version = await versionOf(connection)
    const step = steps[version]
    if (step !== undefined) {
      if (version === 0) await connection.script("CREATE TABLE schema_version (version integer NOT NULL)")
      await connection.script(step)
      await connection.script("DELETE FROM schema_version")
      await connection.script(`INSERT INTO schema_version (version) VALUES (${version + 1})`)
    }
    await connection.script("COMMIT")
    return step === undefined ? version : version + 1
  } catch (error) {
    await connection.rollBack()
    throw error
  }
}

function refuseNewer(version: number, known: number): void {
  if (version <= known) return
  throw new Error(
    `the database has schema version ${version}, and this version of Latchkey knows ${known}: ` +
      "start the newer version that wrote it, or restore a backup from before the upgrade",
  )
}

/** The version of the schema; 0 where there is none yet. */
export async function versionOf(connection: Connection): Promise<number> {
  if ((await connection.query(IS_THERE, [])).rows.length === 0) return 0
  const { rows } = await connection.query<{ version: number }>("SELECT version FROM schema_version", [])
  return rows[0]?.version ?? 0
}

/** Asked of the catalogue's own table: the functions that look a name up may remember that it was not there. */
const IS_THERE =
  "SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = current_schema() AND tablename = 'schema_version'"
