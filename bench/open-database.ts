/** Opens the database of a data directory, or the database at a URL. */
import { join } from "node:path"
import { openSqlite } from "../src/store/sqlite/sqlite-store.ts"
import type { Store } from "../src/store/store.ts"

export async function openDatabase(dir: string, databaseUrl: string | null): Promise<Store> {
  if (databaseUrl === null) return openSqlite(join(dir, "latchkey.db"))
  const { openPostgres } = await import("../src/store/postgres/postgres-store.ts")
  return openPostgres(databaseUrl)
}
