/**
 * The thread of `checkpointer.ts`. It copies as much of the log as possible without making a writer wait. The file is
 * plain JavaScript, because a thread that strips types loads a compiler, which takes 14 MB of memory.
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
  const begun = performance.now()
  parentPort?.postMessage({ logPages: logPages(), milliseconds: performance.now() - begun })
})

/** Returns the length of the log. Returns 0 if the copy failed, so that the next call tries again. */
function logPages() {
  try {
    return checkpoint.get()?.log ?? 0
  } catch {
    return 0
  }
}
