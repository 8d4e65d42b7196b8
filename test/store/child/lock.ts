/** Takes the lock of a directory and keeps it. */
import { lockDirectory } from "../../../src/store/sqlite/engine/directory-lock.ts"

const [dir = ""] = process.argv.slice(2)
process.stdout.write(`${lockDirectory(dir).held}\n`)
setInterval(() => {}, 1000)
