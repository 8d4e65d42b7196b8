/**
 * Runs SQLite's own check of pages, indexes, constraints and references. Posts an array of `Problem`. The check is one
 * long statement, so it has its own thread. The file is plain JavaScript, because a thread that strips types loads a
 * compiler.
 */
import { DatabaseSync } from "node:sqlite"
import { parentPort, workerData } from "node:worker_threads"

const REPORTED_AT_MOST = 100
const BUSY_MILLISECONDS = 5000

// A read-only connection would load the schema without its CHECK constraints.
const database = new DatabaseSync(workerData, { timeout: BUSY_MILLISECONDS })
database.exec("PRAGMA query_only = ON; PRAGMA trusted_schema = OFF")
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
      problem: `points to a row of ${String(parent)} that does not exist`,
    }))
}

/** Runs a check and returns its problems. If the file is damaged, the check itself may fail. */
function found(check) {
  try {
    return check()
  } catch (error) {
    return [{ table: "(file)", key: "", problem: error instanceof Error ? error.message : String(error) }]
  }
}
