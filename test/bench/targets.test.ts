/** Tests the table of `npm run bench:targets`: each target has a row with its verdict. */
import { deepEqual } from "node:assert/strict"
import { test } from "node:test"
import type { Cost, Difference } from "../../bench/difference.ts"
import type { Engine } from "../../bench/one-service.ts"
import type { Limits } from "../../bench/targets/limits.ts"
import { type Targets, verdictsOf, workloadsOf } from "../../bench/targets/verdicts.ts"

const machine = {
  ...{ cores: 2, processor: "", memoryGiB: 1, system: "", node: "v24.0.0" },
  ...{ isPinned: true, filesystem: "ext4" },
}

function differences(engine: Engine, microseconds: number): Difference[] {
  const cost = (both: number): Cost => ({ node: both, database: 0, both, spread: [both, both] })
  return workloadsOf(engine).map((workload) => ({
    ...{ workload, before: 1, now: 1, ratio: 1, spread: [1, 1] as const, noise: 0, isLoss: false },
    cost: { before: cost(500), now: cost(microseconds), ratio: 1 },
  }))
}

function limits(engine: Engine, milliseconds: number, residentMiB: number): Limits {
  const ranged = (value: number) => ({ value, spread: [value, value] as const })
  return {
    engine,
    service: ranged(40),
    floor: ranged(30),
    open: { rate: 10_000, p50: ranged(2), p99: ranged(milliseconds), worst: 50 },
    memory: { minutes: 60, startMiB: 90, residentMiB, peakMiB: 200 },
  }
}

test("each figure that was measured has a verdict against its target", () => {
  const at = "2026-11-28T00:00:00Z"
  const targets: Targets = {
    machine,
    compared: {
      ...{ at, commit: "0".repeat(40), rounds: 24, seconds: 1 },
      engines: { sqlite: differences("sqlite", 58), postgres: differences("postgres", 80) },
    },
    limits: { at, engines: [limits("sqlite", 12, 140), limits("postgres", 19.9, 171)] },
    growth: { at, credentials: 10_000_000, ofSmallest: { value: 0.92, spread: [0.9, 0.94] } },
  }
  deepEqual(
    verdictsOf(targets).flatMap(({ figure, target, verdict }) =>
      verdict === "" ? [] : [`${figure} ${target} ${verdict}`],
    ),
    [
      "refresh, SQLite, µs ≤ 42 missed",
      "refresh, PostgreSQL, µs ≤ 80 reached",
      "code exchange, SQLite, µs ≤ 58 reached",
      "code exchange, PostgreSQL, µs ≤ 100 reached",
      "introspection, PostgreSQL, µs ≤ 34 missed",
      "authorize page, SQLite, µs ≤ 170 reached",
      "resident after 60 minutes of load, SQLite, MiB ≤ 140 reached",
      "p99 at 10,000 refreshes a second (70 % of 14,286), SQLite, ms < 12 missed",
      "resident after 60 minutes of load, PostgreSQL, MiB ≤ 170 missed",
      "p99 at 10,000 refreshes a second (70 % of 14,286), PostgreSQL, ms < 20 reached",
      "rate with 10,000,000 credentials, of that with a thousand ≥ 0.92 reached",
    ],
  )
  deepEqual(verdictsOf({ machine, compared: null, limits: null, growth: null }), [])
})
