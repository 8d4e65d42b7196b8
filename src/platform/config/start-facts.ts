/** What the log says about the database when the service starts. */
import { statSync } from "node:fs"
import { versionOfLast } from "../../store/schema-steps.ts"
import { type DatabaseLocation, sqliteFile } from "./open-store.ts"

export type StartFacts = {
  readonly engine: "sqlite" | "postgres"
  /** The version of the schema after the start. */
  readonly schema: number
}

export async function startFacts({ databaseUrl }: DatabaseLocation): Promise<StartFacts> {
  if (databaseUrl !== null) {
    const { schema } = await import("../../store/postgres/migrate.ts")
    return { engine: "postgres", schema: versionOfLast(schema) }
  }
  const { schema } = await import("../../store/sqlite/migrate.ts")
  return { engine: "sqlite", schema: versionOfLast(schema) }
}

/**
 * Returns the size of the log that SQLite copies into the file when it opens it. A clean stop leaves none, so this tells
 * a start after a crash. Call it before the database is opened. PostgreSQL recovers by itself.
 */
export function bytesToRecover({ dataDir, databaseUrl }: DatabaseLocation): number {
  if (databaseUrl !== null) return 0
  return statSync(`${sqliteFile(dataDir)}-wal`, { throwIfNoEntry: false })?.size ?? 0
}
