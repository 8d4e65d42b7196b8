/** The thread of `checkpointer.ts`: copies what it can of the log without making a writer wait. */
import { parentPort, workerData } from "node:worker_threads"
import { connect } from "./connection.ts"

const connection = connect(workerData as string)

parentPort?.on("message", (order: "copy" | "close") => {
  if (order === "close") {
    connection.close()
    parentPort?.close()
    return
  }
  connection.one("PRAGMA wal_checkpoint(PASSIVE)")
  parentPort?.postMessage("copied", [])
})
