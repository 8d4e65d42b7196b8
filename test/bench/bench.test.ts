/**
 * Tests that the benchmark still runs. Every workload must get right responses from every server. Speed is not judged.
 */
import { deepEqual, equal, ok } from "node:assert/strict"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "node:test"
import { plotsOf } from "../../bench/plots.ts"
import type { Results } from "../../bench/results.ts"
import { tablesOf } from "../../bench/tables.ts"
import { workloads } from "../../bench/workloads.ts"
import { benchDirectory, runBench } from "./run-bench.ts"

const targets = ["bare", "Latchkey", "oidc-provider"]

test("The benchmark asks every server for every workload, and each answer is what it must be", async (t) => {
  const dir = benchDirectory(t)
  const file = join(dir, "results.json")
  const args = ["bench/main.ts", "--tiny", "--parts", "embedded", "--work", dir, "--json", file]
  const { code, stderr } = await runBench(t, args)
  equal(code, 0, stderr)

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
