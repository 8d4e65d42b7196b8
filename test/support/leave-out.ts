/** What a machine lacks. Continuous integration must have all of it. */
import { spawnSync } from "node:child_process"

/** Throws under CI=true. Otherwise it says which tests are left out, and returns why. */
export function leaveOut(missing: string, tests: string, remedy = ""): string {
  if (process.env["CI"] === "true") throw new Error(`${missing}: ${tests} cannot be left out here`)
  console.log(`${missing}: ${tests} are left out. ${remedy}`.trimEnd())
  return missing
}

const DEBIAN_PYTHON = "/usr/bin/python3"

/** For tests that need modules of Python. */
export function needsModules(
  modules: readonly string[],
  python = DEBIAN_PYTHON,
  remedy = "",
): { skip?: string } {
  const find =
    "import sys; from importlib.util import find_spec; sys.exit(not all(map(find_spec, sys.argv[1:])))"
  if (spawnSync(python, ["-c", find, ...modules]).status === 0) return {}
  return { skip: leaveOut(`${python} has no ${modules.join(" and ")}`, "their tests", remedy) }
}
