/** What PostgreSQL says that it has written. */
import { query } from "../database.ts"
import type { Written } from "./trace.ts"

/**
 * The counters of all processes. A checkpoint comes before, so that the pages that changed are counted too. Each process
 * reports within a second, so callers wait.
 */
export async function databaseWrites(url: string): Promise<Written> {
  const [row] = await query<{ writes: string; syncs: string; bytes: string }>(
    url,
    "SELECT sum(coalesce(writes, 0) + coalesce(extends, 0)) AS writes, sum(coalesce(fsyncs, 0)) AS syncs, " +
      "(SELECT wal_bytes FROM pg_stat_wal) AS bytes FROM pg_stat_io WHERE object IN ('wal', 'relation')",
  )
  return { writes: Number(row?.writes), logBytes: Number(row?.bytes), syncs: Number(row?.syncs) }
}

export async function checkpoint(url: string): Promise<void> {
  await query(url, "CHECKPOINT")
}
