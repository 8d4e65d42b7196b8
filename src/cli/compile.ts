/**
 * Loads every module without running the service, so that Node stores the compiled code. `bin/latchkey` runs this file
 * in a separate process, because a process that compiles keeps 15 MB for the compiler.
 */
import { readdirSync } from "node:fs"
import { extname, join } from "node:path"
import { pathToFileURL } from "node:url"

const source = join(import.meta.dirname, "..")

/** Files that run when they are loaded. */
const PROGRAM = /(?:-worker|[\\/]cli[\\/](?:main|compile))\.[jt]s$/

const modules = readdirSync(source, { recursive: true, encoding: "utf8" })
  .map((file) => join(source, file))
  .filter((file) => extname(file) === extname(import.meta.filename) && !PROGRAM.test(file))

await Promise.all([import("jose"), ...modules.map((file) => import(pathToFileURL(file).href))])
