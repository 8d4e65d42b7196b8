/** What Go itself says about the modules: tests with the race detector, fuzzing, and the time of a check. */
import { type SpawnSyncReturns, spawnSync } from "node:child_process"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { type Attempt, type Figures, part } from "../proof.ts"

const root = join(import.meta.dirname, "../..")
const kit = join(root, "packages/resource-server-go")
const program = join(root, "proofs/go/program")

const EXAMPLES = ["go-http", "go-grpc", "go-mcp"] as const
const MODULES = [
  kit,
  join(kit, "grpc"),
  join(kit, "mcp"),
  program,
  ...EXAMPLES.map((name) => join(root, "examples", name)),
]
/** A count, because Go sometimes reports the end of a time limit as a failure. */
const FUZZ_INPUTS = 1_000_000
const FUZZ_TESTS = ["FuzzTokenForm", "FuzzBearerHeader", "FuzzEventParser", "FuzzIntrospection"]
const CHECK_AT_MOST_MICROSECONDS = 2

export type Binaries = Readonly<Record<(typeof EXAMPLES)[number] | "program", string>>

function go(directory: string, ...args: readonly string[]): string {
  const { status, stdout, stderr }: SpawnSyncReturns<string> = spawnSync("go", args, {
    cwd: directory,
    encoding: "utf8",
    env: { ...process.env, GOFLAGS: "-buildvcs=false" },
  })
  if (status !== 0) throw new Error(`go ${args.join(" ")} in ${directory}:\n${stdout}\n${stderr}`)
  return stdout
}

/** Every module is formatted and vetted, and its tests pass with the race detector. Modules are fetched. */
export function testAll({ say }: Attempt): Figures {
  let passed = 0
  for (const directory of MODULES) {
    say(`go vet and go test -race in ${directory.slice(root.length + 1)}`)
    const { stdout } = spawnSync("gofmt", ["-l", directory], { encoding: "utf8" })
    if (stdout !== "") throw new Error(`not formatted: ${stdout}`)
    go(directory, "mod", "verify")
    go(directory, "vet", "./...")
    passed += go(directory, "test", "-race", "-count=1", "-v", "./...").split("--- PASS").length - 1
  }
  return { modules: MODULES.length, "tests and cases with the race detector": passed }
}

export function fuzz(attempt: Attempt): Figures {
  const asked = part(attempt, FUZZ_INPUTS)
  let inputs = 0
  for (const name of FUZZ_TESTS) {
    attempt.say(`${name} with ${asked} inputs`)
    const said = go(kit, "test", "-run=^$", `-fuzz=^${name}$`, `-fuzztime=${asked}x`, ".")
    inputs += Number(
      /execs: (\d+)[^]*$/.exec(said.split("\n").findLast((line) => line.includes("execs")) ?? "")?.[1],
    )
  }
  return { "fuzzed inputs": inputs }
}

/** The time of a check that is answered from memory, beside golang-jwt in the same run. */
export function speed({ say }: Attempt): Figures {
  say("the time of a cached check")
  const said = go(program, "test", "-run=^$", "-bench=.", "-benchtime=2s", ".")
  const microseconds = (name: string) => {
    const found = new RegExp(`^Benchmark${name}\\S*\\s+\\d+\\s+([\\d.]+) ns/op`, "m").exec(said)
    if (found === null) throw new Error(said)
    return Number(found[1]) / 1000
  }
  const check = microseconds("CachedCheck(?=-|\\s)")
  if (check >= CHECK_AT_MOST_MICROSECONDS) throw new Error(`a cached check takes ${check} µs`)
  return {
    "cached check, µs": check.toFixed(2),
    "cached checks on all processors, µs each": microseconds("CachedCheckAtOnce").toFixed(2),
    "golang-jwt verifies RS256, µs": microseconds("GolangJWT").toFixed(1),
  }
}

export function build(work: string): Binaries {
  const folder = join(work, "programs")
  mkdirSync(folder)
  const built = (directory: string, name: string) => {
    go(directory, "build", "-o", join(folder, name), ".")
    return join(folder, name)
  }
  return {
    program: built(program, "program"),
    "go-http": built(join(root, "examples/go-http"), "go-http"),
    "go-grpc": built(join(root, "examples/go-grpc"), "go-grpc"),
    "go-mcp": built(join(root, "examples/go-mcp"), "go-mcp"),
  }
}
