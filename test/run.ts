/** Runs test files with Node's own runner, as many at a time as the machine has processors: `node test/run.ts GLOB…`. */
import { spawn } from "node:child_process"
import { availableParallelism } from "node:os"
import { join } from "node:path"

const compiled = join(import.meta.dirname, "..", "node_modules", ".cache", "node")
const runner = spawn(
  process.execPath,
  ["--test", `--test-concurrency=${availableParallelism()}`, ...process.argv.slice(2)],
  // Each file is a process of its own: what one of them has compiled, the next one need not.
  { stdio: "inherit", env: { NODE_COMPILE_CACHE: compiled, ...process.env } },
)
runner.on("exit", (code, signal) => {
  process.exitCode = code ?? 1
  if (signal !== null) console.error(`the test runner was ended by ${signal}`)
})
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => runner.kill(signal))
