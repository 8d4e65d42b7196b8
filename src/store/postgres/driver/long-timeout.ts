/** A longer time limit for reads. Requests cannot wait this long. */
import type { Database, Reader } from "./database.ts"

/** Runs `body` on one view. Each statement may take two minutes. */
export function withLongTimeout<T>(database: Database, body: (reader: Reader) => Promise<T>): Promise<T> {
  return database.view(async (reader) => {
    await reader.all("SET LOCAL statement_timeout = '120s'")
    return body(reader)
  })
}
