/**
 * Tests that the benchmark still runs. Every workload must get right responses from every server. Speed is not judged.
 */
import { deepEqual, equal, ok } from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "node:test"
import { plotsOf } from "../../bench/plots.ts"
import type { Results } from "../../bench/results.ts"
import { tablesOf } from "../../bench/tables.ts"
import { workloads } from "../../bench/workloads.ts"

const root = join(import.meta.dirname, "../..")
const targets = ["bare", "Latchkey", "oidc-provider"]

test("The benchmark asks every server for every workload, and each answer is what it must be", async (t) => {
  const dir = mkdtempSync(join(tmpdir(), "latchkey-bench-test-"))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  const file = join(dir, "results.json")
  const args = ["bench/main.ts", "--tiny", "--parts", "embedded", "--work", dir, "--json", file]
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "ignore", "pipe"] })
  t.after(() => child.kill())
  let errors = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text))
  const [code] = (await once(child, "close")) as [number | null]
  equal(code, 0, errors)

  const results = JSON.parse(readFileSync(file, "utf8")) as Results
  deepEqual(results.failures, [])
  const figures = results.embedded?.figures ?? []
  deepEqual(
    figures.map(({ workload, connections, target }) => `${workload} ${connections} ${target}`),
    workloads.flatMap((workload) =>
      [64, 1].flatMap((connections) => targets.map((target) => `${workload} ${connections} ${target}`)),
    ),
  )
  ok(figures.every(({ requests, p50 }) => requests > 0 && p50 > 0))
  deepEqual(
    results.embedded?.memory.map(({ target }) => target).toSorted(),
    targets.toSorted((a, b) => (a < b ? -1 : 1)),
  )
  ok(tablesOf(results).every(({ rows }) => rows.length > 0))
  deepEqual([...plotsOf(results).keys()], ["throughput.svg", "latency.svg"])
})
