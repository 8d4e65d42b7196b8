/** Finds Go, for the tests of the Go kit. */
import { spawnSync } from "node:child_process"
import { leaveOut } from "./leave-out.ts"

/** The version that the modules of packages/resource-server-go need. */
const AT_LEAST = { major: 1, minor: 24 }

/** Go fetches nothing: no module and no other version of itself. */
const OFFLINE = { GOPROXY: "off", GOTOOLCHAIN: "local", GOFLAGS: "-buildvcs=false" }

/** Builds are not optimized, because a first build of the standard library then takes two thirds of the time. */
const QUICK = "-gcflags=all=-N -l"

/** The options of a test that needs Go. Under CI=true, it is an error if none is installed. */
export const needsGo = findGo() ? {} : { skip: "no Go that is new enough is installed" }

export type GoResult = { readonly status: number | null; readonly output: string }

/** Runs `go test`, `go build`, `go vet` or `go list` in a directory, without the network. */
export function go(
  directory: string,
  command: "test" | "build" | "vet" | "list",
  ...args: readonly string[]
): GoResult {
  const vet = command === "test" ? ["-vet=off"] : []
  return run(directory, "go", [command, ...vet, QUICK, ...args])
}

/** Runs a program of Go and returns what it prints. */
export function run(directory: string, program: string, args: readonly string[]): GoResult {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: directory,
    encoding: "utf8",
    env: { ...process.env, ...OFFLINE },
  })
  return { status, output: stdout + stderr }
}

function findGo(): boolean {
  const { stdout } = spawnSync("go", ["env", "GOVERSION"], {
    encoding: "utf8",
    env: { ...process.env, ...OFFLINE },
  })
  const [, major, minor] = /^go(\d+)\.(\d+)/.exec(stdout ?? "") ?? []
  const isNewEnough = Number(major) === AT_LEAST.major && Number(minor) >= AT_LEAST.minor
  if (isNewEnough) return true
  leaveOut(`no Go from ${AT_LEAST.major}.${AT_LEAST.minor} is installed`, "the tests of the Go kit")
  return false
}
