/**
 * Checks bcrypt hashes. bcryptjs computes on the thread that calls it, so it has a thread of its own. The file is plain
 * JavaScript, because a thread that strips types loads a compiler.
 */
import { parentPort } from "node:worker_threads"
import { compareSync } from "bcryptjs"

parentPort?.on("message", ({ id, password, hash }) => {
  parentPort?.postMessage({ id, isRight: compareSync(password, hash) })
})
