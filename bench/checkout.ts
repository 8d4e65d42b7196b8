/** Writes the files of an earlier commit to a separate directory, ready to run. */
import { execFileSync } from "node:child_process"
import { mkdirSync, readFileSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { printedBy, startAlone } from "./server-process.ts"

const root = join(import.meta.dirname, "..")

/** Returns the full hash of the commit `name`. Returns null if there is no such commit. */
export function commitNamed(name: string): string | null {
  const args = ["rev-parse", "--quiet", "--verify", "--end-of-options", `${name}^{commit}`]
  try {
    return execFileSync("git", args, {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    }).trim()
  } catch {
    return null
  }
}

/**
 * Writes the commit's files to `dir`. Installs its packages if its lock file differs from ours. Meanwhile a signal ends
 * this process as always.
 */
export async function checkOut(commit: string, dir: string): Promise<void> {
  const run = (...command: string[]) => printedBy(startAlone("any", command, { directory: dir }))
  mkdirSync(dir)
  await run("git", "clone", "--quiet", "--shared", "--no-checkout", root, ".")
  await run("git", "checkout", "--quiet", "--detach", commit)
  const [own, its] = [root, dir].map((at) => readFileSync(join(at, "package-lock.json"), "utf8"))
  if (own === its) symlinkSync(join(root, "node_modules"), join(dir, "node_modules"))
  else await run("npm", "ci", "--no-audit", "--no-fund")
}
