/** When a result was measured, and of which build. */
import { execFileSync } from "node:child_process"
import { join } from "node:path"

const root = join(import.meta.dirname, "..")
/** What a measured build consists of. */
const PARTS = ["src", "bin", "packages", "package-lock.json"]

export type Stamp = {
  readonly at: string
  /**
   * The commit of the checkout, with "-dirty" if the measured files differ from it. Older results have none, and so has a
   * checkout without Git.
   */
  readonly build?: string
}

/** The build is read when the process starts, before a commit that is made while it measures. */
const build = currentBuild()

export function stampNow(): Stamp {
  return { at: new Date().toISOString(), ...(build !== null && { build }) }
}

function currentBuild(): string | null {
  try {
    const isDirty = git("status", "--porcelain", "--", ...PARTS) !== ""
    return `${git("rev-parse", "HEAD")}${isDirty ? "-dirty" : ""}`
  } catch {
    return null
  }
}

function git(...args: readonly string[]): string {
  return execFileSync("git", args, {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }).trim()
}
