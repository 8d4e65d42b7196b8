/** Writes the files of an earlier commit to a separate directory, ready to run. */
import { execFileSync } from "node:child_process"
import { readFileSync, symlinkSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "..")

/** Returns the full hash of the commit `name`. Returns null if there is no such commit. */
export function commitNamed(name: string): string | null {
  try {
    return git(["rev-parse", "--quiet", "--verify", "--end-of-options", `${name}^{commit}`])
  } catch {
    return null
  }
}

/** Writes the commit's files to `dir`. Installs its packages if its lock file differs from ours. */
export function checkOut(commit: string, dir: string): void {
  git(["clone", "--quiet", "--shared", "--no-checkout", root, dir])
  git(["-C", dir, "checkout", "--quiet", "--detach", commit])
  const [own, its] = [root, dir].map((at) => readFileSync(join(at, "package-lock.json"), "utf8"))
  if (own === its) symlinkSync(join(root, "node_modules"), join(dir, "node_modules"))
  else
    execFileSync("npm", ["ci", "--no-audit", "--no-fund"], {
      cwd: dir,
      stdio: ["ignore", "ignore", "inherit"],
    })
}

function git(args: readonly string[]): string {
  return execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim()
}
