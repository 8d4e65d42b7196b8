/** Says whose a file is and what to do, if this process may not use it. */
import { accessSync, constants, statSync } from "node:fs"

/**
 * Returns the problem of the first of `paths` that exists and that this process may not read and write. Returns null if
 * it may use each of them, as root may.
 */
export function fileProblem(paths: readonly string[]): string | null {
  for (const path of paths) {
    const found = statSync(path, { throwIfNoEntry: false })
    if (found === undefined || isUsable(path)) continue
    const user = process.getuid?.() ?? "of this process"
    const mode = (found.mode & 0o777).toString(8).padStart(4, "0")
    return (
      `${path} belongs to user ${found.uid} (mode ${mode}), and user ${user} may not use it: run the command as user ` +
      `${found.uid}, or give it away with chown ${user} ${path}`
    )
  }
  return null
}

function isUsable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
    return true
  } catch {
    return false
  }
}
