/** For what reads so much that it may take longer than a request may wait. */
import type { Database, Reader } from "./database.ts"

/** One view. A statement in it may take two minutes. */
export function withLongTimeout<T>(database: Database, body: (reader: Reader) => Promise<T>): Promise<T> {
  return database.view(async (reader) => {
    await reader.all("SET LOCAL statement_timeout = '120s'")
    return body(reader)
  })
}
