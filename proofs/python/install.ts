/** Builds the wheel of the Python kit and installs it beside the packages of requirements.txt, without the checkout. */
import { spawnSync } from "node:child_process"
import { mkdirSync, readdirSync } from "node:fs"
import { join } from "node:path"

export const KIT = join(import.meta.dirname, "../../packages/resource-server-python")

export type Python = {
  /** The interpreter in which the wheel is installed. */
  readonly python: string
  readonly version: string
  readonly wheel: string
}

const LIMIT_MILLISECONDS = 600_000

/** Returns a sentence if that is not possible, for example without a network or without Python. */
export function install(work: string): Python | string {
  const dir = join(work, "venv")
  const python = join(dir, "bin/python")
  const wheels = join(work, "wheels")
  mkdirSync(wheels)
  const pip = [python, "-m", "pip", "--disable-pip-version-check"]
  const requirements = join(import.meta.dirname, "requirements.txt")
  const prepared = tried([
    ["python3", "-m", "venv", dir],
    [...pip, "install", "--quiet", "--requirement", requirements],
  ])
  if (prepared !== null) return prepared
  run([...pip, "wheel", "--quiet", "--no-deps", "--wheel-dir", wheels, KIT])
  const [wheel = ""] = readdirSync(wheels)
  run([...pip, "install", "--quiet", "--no-deps", join(wheels, wheel)])
  return { python, version: run([python, "--version"]).trim(), wheel }
}

function tried(commands: readonly (readonly string[])[]): string | null {
  for (const [file = "", ...args] of commands) {
    const { status, stderr } = spawnSync(file, args, { encoding: "utf8", timeout: LIMIT_MILLISECONDS })
    if (status === 0) continue
    const last = (stderr ?? "").trim().split("\n").at(-1) ?? ""
    return `${file} ${args.slice(0, 3).join(" ")} failed (is there a network?): ${last.slice(0, 200)}`
  }
  return null
}

/** Runs a command until it ends. Returns its output, or throws with all that it said. */
export function run([file = "", ...args]: readonly string[], cwd?: string): string {
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: "1" }
  const { status, stdout, stderr } = spawnSync(file, args, {
    cwd,
    env,
    encoding: "utf8",
    timeout: LIMIT_MILLISECONDS,
  })
  if (status !== 0) throw new Error(`${args.join(" ")}: ${stdout}${stderr}`.slice(-4000))
  return stdout
}
