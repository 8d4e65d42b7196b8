/** Takes the lock of a directory and keeps it. */
import { lockDirectory } from "../../../src/store/sqlite/engine/directory-lock.ts"

const [dir = ""] = process.argv.slice(2)
const lock = lockDirectory(dir)
process.stdout.write(`${lock.held}\n`)
// The reference keeps the lock. Without it, the garbage collector closes the file.
setInterval(() => lock, 1000)
