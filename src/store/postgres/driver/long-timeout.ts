/** A longer time limit, for reads that may take longer than a request can wait. */
import type { Database, Reader } from "./database.ts"

/** Runs `body` on one view. A statement may take two minutes. */
export function withLongTimeout<T>(database: Database, body: (reader: Reader) => Promise<T>): Promise<T> {
  return database.view(async (reader) => {
    await reader.all("SET LOCAL statement_timeout = '120s'")
    return body(reader)
  })
}
