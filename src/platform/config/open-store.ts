/** Opens the database that the configuration names: SQLite in the data directory, or PostgreSQL. */
import { existsSync, statSync } from "node:fs"
import { join } from "node:path"
import { makeDirectory } from "../../kernel/process/file-problem.ts"
import type { PostgresOptions } from "../../store/postgres/postgres-store.ts"
import type { SqliteOptions } from "../../store/sqlite/sqlite-store.ts"
import type { Store } from "../../store/store.ts"

export type DatabaseLocation = {
  readonly dataDir: string
  /** Null stands for SQLite in `dataDir`. */
  readonly databaseUrl: string | null
  /** The maximum number of connections to PostgreSQL. If it is null, the URL or the default decides. */
  readonly databasePool?: number | null | undefined
}

/**
 * Creates the database if needed, and migrates it if the options allow it. Loads only the engine in use. Errors have a
 * text for the operator.
 */
export async function openStore(
  { dataDir, databaseUrl, databasePool }: DatabaseLocation,
  options: SqliteOptions & Pick<PostgresOptions, "waiting"> = {},
): Promise<Store> {
  if (databaseUrl !== null) {
    const { openPostgres } = await import("../../store/postgres/postgres-store.ts")
    return openPostgres(databaseUrl, { ...options, poolSize: databasePool ?? undefined })
  }
  const { openSqlite } = await import("../../store/sqlite/sqlite-store.ts")
  makeDirectory(dataDir)
  refuseEmptyFile(dataDir)
  return openSqlite(sqliteFile(dataDir), options)
}

/** A failed copy or disk can leave an empty file. It would look new, and offer a set-up link for an administrator. */
export function refuseEmptyFile(dataDir: string): void {
  const file = sqliteFile(dataDir)
  const size = (path: string) => statSync(path, { throwIfNoEntry: false })?.size
  if (size(file) !== 0 || (size(`${file}-wal`) ?? 0) > 0 || size(join(dataDir, "secret.key")) === undefined)
    return
  throw new Error(
    `${file} is empty, and a service has run here before: restore a backup, or remove the file to start over`,
  )
}

/** Whether the SQLite file does not exist yet. Returns false for PostgreSQL, because only a connection can tell. */
export function isAbsent({ dataDir, databaseUrl }: DatabaseLocation): boolean {
  return databaseUrl === null && !existsSync(sqliteFile(dataDir))
}

/** Returns a name of the database for messages, without the password in its URL. */
export async function databaseName({ dataDir, databaseUrl }: DatabaseLocation): Promise<string> {
  if (databaseUrl === null) return sqliteFile(dataDir)
  const { parseAddress } = await import("../../store/postgres/driver/address.ts")
  return parseAddress(databaseUrl).shown
}

export function sqliteFile(dataDir: string): string {
  return join(dataDir, "latchkey.db")
}
