/** Says whose a file or a directory is and what to do, if this process may not use it. */
import { accessSync, constants, mkdirSync, type Stats, statSync } from "node:fs"
import { dirname, resolve } from "node:path"

/**
 * Returns the problem of the first of `paths` that exists and that this process may not use. Returns null if it may use
 * each of them, as root may. A directory comes before the files in it.
 */
export function fileProblem(paths: readonly string[]): string | null {
  for (const path of paths) {
    const found = statOf(path)
    if (found === null || isUsable(path, found)) continue
    // The files beside it usually have the same owner, so the remedy is for the directory.
    const directory = found.isDirectory() ? path : dirname(path)
    const remedy =
      found.uid === process.getuid?.()
        ? `allow it with chmod -R u+rwX ${directory}`
        : `run the command as user ${found.uid}, or change the owner with chown -R ${userOfProcess()} ${directory}`
    return `${ownerOf(path, found)}, and user ${userOfProcess()} may not use it: ${remedy}`
  }
  return null
}

/** Returns in words why a file that an operator named cannot be used. */
export function causeOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === "ENOENT") return "it does not exist"
  if (code === "EACCES") return `user ${userOfProcess()} may not use it`
  return code === "EISDIR" ? "it is a directory" : message
}

/** Creates a directory for this process alone. The error names the directory above it that does not allow it. */
export function makeDirectory(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new Error(creationProblem(path) ?? (error as Error).message, { cause: error })
  }
}

function creationProblem(path: string): string | null {
  for (let above = dirname(resolve(path)); ; above = dirname(above)) {
    const found = statOf(above)
    if (found !== null && !found.isDirectory()) return `${path} cannot be created: ${above} is a file`
    if (found !== null && !isUsable(above, found)) {
      const user = userOfProcess()
      return (
        `${path} cannot be created: ${ownerOf(above, found)}, and user ${user} may not write to it: create the ` +
        `directory as user ${found.uid} with install -d -m 0700 -o ${user} ${path}`
      )
    }
    if (found !== null || above === dirname(above)) return null
  }
}

/** Null if it does not exist, or if a directory above it may not be searched. */
function statOf(path: string): Stats | null {
  try {
    return statSync(path)
  } catch {
    return null
  }
}

function ownerOf(path: string, { uid, mode }: Stats): string {
  return `${path} belongs to user ${uid} (mode ${(mode & 0o777).toString(8).padStart(4, "0")})`
}

function userOfProcess(): number | string {
  return process.getuid?.() ?? "of this process"
}

function isUsable(path: string, found: Stats): boolean {
  const search = found.isDirectory() ? constants.X_OK : 0
  try {
    accessSync(path, constants.R_OK | constants.W_OK | search)
    return true
  } catch {
    return false
  }
}
