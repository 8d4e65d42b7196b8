/** SQLite's own check of pages, indexes and references: one long statement, so it has a thread to itself. */
import { parentPort, workerData } from "node:worker_threads"
import type { Problem } from "../../store.ts"
import { connectToRead, type Connection } from "../connection.ts"

const REPORTED_AT_MOST = 100

const connection = connectToRead(workerData as string)
const problems = [...found(damage), ...found(danglingReferences)]
connection.close()
parentPort?.postMessage(problems, [])

function damage(of: Connection): Problem[] {
  return of
    .all<{ integrity_check: string }>(`PRAGMA integrity_check(${REPORTED_AT_MOST})`)
    .map(({ integrity_check: problem }) => ({ table: "(file)", key: "", problem }))
    .filter(({ problem }) => problem !== "ok")
}

function danglingReferences(of: Connection): Problem[] {
  return of
    .all<{ table: string; parent: string }>("PRAGMA foreign_key_check")
    .slice(0, REPORTED_AT_MOST)
    .map(({ table, parent }) => ({
      table,
      key: "",
      problem: `points to a row of ${parent} that does not exist`,
    }))
}

/** Some damage stops the check itself. */
function found(check: (of: Connection) => Problem[]): Problem[] {
  try {
    return check(connection)
  } catch (error) {
    return [{ table: "(file)", key: "", problem: error instanceof Error ? error.message : String(error) }]
  }
}
