/**
 * The thread of `checkpointer.ts`: copies what it can of the log without making a writer wait. Plain JavaScript: a thread
 * that must strip types first loads a compiler of its own, 14 MB of memory for these few lines.
 */
import { DatabaseSync } from "node:sqlite"
import { parentPort, workerData } from "node:worker_threads"

const database = new DatabaseSync(workerData)
database.exec("PRAGMA trusted_schema = OFF; PRAGMA synchronous = NORMAL; PRAGMA checkpoint_fullfsync = ON")
const checkpoint = database.prepare("PRAGMA wal_checkpoint(PASSIVE)")

parentPort?.on("message", (order) => {
  if (order === "close") {
    database.close()
    parentPort?.close()
    return
  }
  parentPort?.postMessage(logPages())
})

/** The length of the log. 0 if it could not be copied, so that it is tried again later. */
function logPages() {
  try {
    return checkpoint.get()?.log ?? 0
  } catch {
    return 0
  }
}
