/** The engine that the configuration names: an embedded database in the data directory, or PostgreSQL. */
import { existsSync, mkdirSync, statSync } from "node:fs"
import { join } from "node:path"
import type { PostgresOptions } from "../store/postgres/postgres-store.ts"
import type { SqliteOptions } from "../store/sqlite/sqlite-store.ts"
import type { Store } from "../store/store.ts"

export type DatabasePlace = {
  readonly dataDir: string
  /** Null means SQLite in `dataDir`. */
  readonly databaseUrl: string | null
  /** The most connections to PostgreSQL; null where the URL says it, or nobody does. */
  readonly databasePool?: number | null | undefined
}

/**
 * Opens it, making or migrating it where needed. Each engine is loaded only where it is used. Throws what keeps it from
 * working, with a sentence for people.
 */
export async function openStore(
  { dataDir, databaseUrl, databasePool }: DatabasePlace,
  options: SqliteOptions & Pick<PostgresOptions, "waiting" | "mayMake"> = {},
): Promise<Store> {
  if (databaseUrl !== null) {
    const { openPostgres } = await import("../store/postgres/postgres-store.ts")
    const { committed, waiting, mayMake } = options
    return openPostgres(databaseUrl, { poolSize: databasePool ?? undefined, committed, waiting, mayMake })
  }
  const { openSqlite } = await import("../store/sqlite/sqlite-store.ts")
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  refuseEmptied(dataDir)
  return openSqlite(sqliteFile(dataDir), options)
}

/**
 * A file without a byte is what a copy that failed leaves, or a disk. Where a service ran before, that is not a new one: its
 * set-up link would be anybody's who comes first.
 */
function refuseEmptied(dataDir: string): void {
  const file = sqliteFile(dataDir)
  const size = (path: string) => statSync(path, { throwIfNoEntry: false })?.size
  if (size(file) !== 0 || (size(`${file}-wal`) ?? 0) > 0 || size(join(dataDir, "secret.key")) === undefined)
    return
  throw new Error(
    `${file} is empty, and a service has run here before: restore a backup, or remove the file to begin anew`,
  )
}

/** Whether the embedded database would have to be made first. Of a server nobody can say so beforehand. */
export function isAbsent({ dataDir, databaseUrl }: DatabasePlace): boolean {
  return databaseUrl === null && !existsSync(sqliteFile(dataDir))
}

/** What people call it; a password of the address is not in it. */
export async function databaseName({ dataDir, databaseUrl }: DatabasePlace): Promise<string> {
  if (databaseUrl === null) return sqliteFile(dataDir)
  const { parseAddress } = await import("../store/postgres/driver/address.ts")
  return parseAddress(databaseUrl).shown
}

function sqliteFile(dataDir: string): string {
  return join(dataDir, "latchkey.db")
}
