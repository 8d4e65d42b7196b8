/** SQLite's own check of pages, indexes and references: one long statement, so it has a thread to itself. */
import { parentPort, workerData } from "node:worker_threads"
import { connectToRead } from "../connection.ts"

const REPORTED_AT_MOST = 100

const connection = connectToRead(workerData as string)
const damage = connection
  .all<{ integrity_check: string }>(`PRAGMA integrity_check(${REPORTED_AT_MOST})`)
  .map(({ integrity_check: sentence }) => ({ table: "(file)", key: "", problem: sentence }))
  .filter(({ problem }) => problem !== "ok")
const dangling = connection
  .all<{ table: string; parent: string }>("PRAGMA foreign_key_check")
  .slice(0, REPORTED_AT_MOST)
  .map(({ table, parent }) => ({
    table,
    key: "",
    problem: `points to a row of ${parent} that does not exist`,
  }))
connection.close()
parentPort?.postMessage([...damage, ...dangling], [])
