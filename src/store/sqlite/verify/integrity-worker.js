/**
 * SQLite's own check of pages, indexes and references: one long statement, so it has a thread to itself. Plain JavaScript,
 * as every thread here: one that must strip types first loads a compiler of its own. Posts an array of `Problem`.
 */
import { DatabaseSync } from "node:sqlite"
import { parentPort, workerData } from "node:worker_threads"

const REPORTED_AT_MOST = 100
const BUSY_MILLISECONDS = 5000

const database = new DatabaseSync(workerData, { timeout: BUSY_MILLISECONDS, readOnly: true })
database.exec("PRAGMA trusted_schema = OFF")
const problems = [...found(damage), ...found(danglingReferences)]
database.close()
parentPort?.postMessage(problems, [])

function damage() {
  return database
    .prepare(`PRAGMA integrity_check(${REPORTED_AT_MOST})`)
    .all()
    .map(({ integrity_check: problem }) => ({ table: "(file)", key: "", problem }))
    .filter(({ problem }) => problem !== "ok")
}

function danglingReferences() {
  return database
    .prepare("PRAGMA foreign_key_check")
    .all()
    .slice(0, REPORTED_AT_MOST)
    .map(({ table, parent }) => ({
      table,
      key: "",
      problem: `points to a row of ${parent} that does not exist`,
    }))
}

/** Some damage stops the check itself. */
function found(check) {
  try {
    return check()
  } catch (error) {
    return [{ table: "(file)", key: "", problem: error instanceof Error ? error.message : String(error) }]
  }
}
