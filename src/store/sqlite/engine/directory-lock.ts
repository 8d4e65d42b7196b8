/** Allows only one server per data directory. The operating system releases the lock when the process ends. */
import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { fileProblem } from "../../../kernel/process/file-problem.ts"

export type DirectoryLock =
  | { readonly held: true; readonly release: () => void }
  /** Another process has the lock. `pid` is its process id, if known. */
  | { readonly held: false; readonly pid: number | null }
  /** This process may not use the directory or a file of the lock. `problem` is a text for the operator. */
  | { readonly held: false; readonly problem: string }

const BUSY = 5

/** Takes the lock of `dir`, or returns why it cannot. Never waits. */
export function lockDirectory(dir: string): DirectoryLock {
  try {
    return takeLock(dir)
  } catch (error) {
    const problem = fileProblem([dir, join(dir, "serve.lock"), join(dir, "serve.pid")])
    if (problem === null) throw error
    return { held: false, problem }
  }
}

/** Returns the sentence for a command that must not run beside the service. */
export function lockRefusal(dir: string, lock: DirectoryLock & { readonly held: false }): string {
  if ("problem" in lock) return `The directory ${dir} cannot be used: ${lock.problem}.`
  return `The service is running on ${dir}${lock.pid === null ? "" : ` (process ${lock.pid})`}. Stop it first.`
}

function takeLock(dir: string): DirectoryLock {
  const pidFile = join(dir, "serve.pid")
  const database = openLockFile(join(dir, "serve.lock"))
  try {
    database.exec("BEGIN IMMEDIATE")
  } catch (error) {
    database.close()
    if ((error as { errcode?: number }).errcode === BUSY) return { held: false, pid: pidIn(pidFile) }
    throw error
  }
  try {
    writeFileSync(pidFile, `${process.pid}\n`, { mode: 0o600 })
  } catch (error) {
    database.close()
    throw error
  }
  return { held: true, release: () => database.close() }
}

/** Opens an empty SQLite file, which is only locked and never written. */
function openLockFile(file: string): DatabaseSync {
  try {
    closeSync(openSync(file, "wx", 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
  }
  return new DatabaseSync(file, { timeout: 0 })
}

function pidIn(file: string): number | null {
  try {
    const pid = Number(readFileSync(file, "utf8"))
    return Number.isInteger(pid) && pid > 0 ? pid : null
  } catch {
    return null
  }
}
