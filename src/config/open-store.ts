/** The engine that the configuration names: an embedded database in the data directory, or PostgreSQL. */
import { existsSync, mkdirSync, statSync } from "node:fs"
import { join } from "node:path"
import type { PostgresOptions } from "../store/postgres/postgres-store.ts"
import type { SqliteOptions } from "../store/sqlite/sqlite-store.ts"
import type { Store } from "../store/store.ts"

export type DatabaseLocation = {
  readonly dataDir: string
  /** Null means SQLite in `dataDir`. */
  readonly databaseUrl: string | null
  /** The most connections to PostgreSQL; null for the number in the URL, or the default. */
  readonly databasePool?: number | null | undefined
}

/** Opens the database, and creates or migrates it if needed. Loads only the engine that is used. Its errors are for people. */
export async function openStore(
  { dataDir, databaseUrl, databasePool }: DatabaseLocation,
  options: SqliteOptions & Pick<PostgresOptions, "waiting" | "mayMake"> = {},
): Promise<Store> {
  if (databaseUrl !== null) {
    const { openPostgres } = await import("../store/postgres/postgres-store.ts")
    const { committed, waiting, mayMake } = options
    return openPostgres(databaseUrl, { poolSize: databasePool ?? undefined, committed, waiting, mayMake })
  }
  const { openSqlite } = await import("../store/sqlite/sqlite-store.ts")
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  refuseEmptyFile(dataDir)
  return openSqlite(sqliteFile(dataDir), options)
}

/**
 * A failed copy or a failed disk can leave an empty file. If a service ran here before, it must not be taken for a new
 * database: the first visitor could then become administrator through the set-up link.
 */
function refuseEmptyFile(dataDir: string): void {
  const file = sqliteFile(dataDir)
  const size = (path: string) => statSync(path, { throwIfNoEntry: false })?.size
  if (size(file) !== 0 || (size(`${file}-wal`) ?? 0) > 0 || size(join(dataDir, "secret.key")) === undefined)
    return
  throw new Error(
    `${file} is empty, and a service has run here before: restore a backup, or remove the file to start over`,
  )
}

/** Whether the embedded database does not exist yet. False for PostgreSQL, where this is not known before connecting. */
export function isAbsent({ dataDir, databaseUrl }: DatabaseLocation): boolean {
  return databaseUrl === null && !existsSync(sqliteFile(dataDir))
}

/** A name for messages, without the password of the address. */
export async function databaseName({ dataDir, databaseUrl }: DatabaseLocation): Promise<string> {
  if (databaseUrl === null) return sqliteFile(dataDir)
  const { parseAddress } = await import("../store/postgres/driver/address.ts")
  return parseAddress(databaseUrl).shown
}

function sqliteFile(dataDir: string): string {
  return join(dataDir, "latchkey.db")
}
