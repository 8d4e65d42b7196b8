/** The targets, and whether each is reached. */
import type { Cost, Difference } from "../difference.ts"
import { type Engine, engineWords } from "../one-service.ts"
import type { Machine } from "../results.ts"
import type { Stamp } from "../stamp.ts"
import { short } from "../tables.ts"
import { counted, workloadWords } from "../words.ts"
import type { Workload } from "../workloads.ts"
import { type Limits, OPEN_PART, type Ranged } from "./limits.ts"

/** The results of `bench:targets`. A part that was never measured is null. */
export type Targets = {
  readonly machine: Machine
  readonly compared:
    | (Stamp & {
        readonly commit: string
        readonly rounds: number
        readonly seconds: number
        readonly engines: { readonly [E in Engine]: readonly Difference[] }
      })
    | null
  /** `seconds` is the flag of the command. Older results do not have it. */
  readonly limits: (Stamp & { readonly seconds?: number; readonly engines: readonly Limits[] }) | null
  /** The rate with the most credentials, as a part of the rate with the fewest. */
  readonly growth: (Stamp & { readonly credentials: number; readonly ofSmallest: Ranged }) | null
}

/** Microseconds of processor per request, of node and PostgreSQL. */
const COSTS: readonly (readonly [Engine, Workload, atMost: number])[] = [
  ["sqlite", "refresh", 42],
  ["postgres", "refresh", 80],
  ["sqlite", "exchange", 58],
  ["postgres", "exchange", 100],
  ["postgres", "introspect", 34],
  ["sqlite", "authorize", 170],
]
const MEMORY_MIB: Readonly<Record<Engine, number>> = { sqlite: 140, postgres: 170 }
const P99_MS: Readonly<Record<Engine, number>> = { sqlite: 12, postgres: 20 }
const OF_SMALLEST = 0.92

export function workloadsOf(engine: Engine): readonly Workload[] {
  return COSTS.filter(([of]) => of === engine).map(([, workload]) => workload)
}

export type Verdict = {
  readonly figure: string
  /** At the commit that this checkout is compared with. */
  readonly before: string
  readonly now: string
  readonly target: string
  readonly verdict: "reached" | "missed" | ""
}

/** Returns one row for each figure that was measured. */
export function verdictsOf({ compared, limits, growth }: Targets): readonly Verdict[] {
  const rows: Verdict[] = []
  const add = (figure: string, now: string, target = "", isReached?: boolean, before = "") =>
    rows.push({
      figure,
      before,
      now,
      target,
      verdict: isReached === undefined ? "" : isReached ? "reached" : "missed",
    })
  for (const [engine, workload, atMost] of compared === null ? [] : COSTS) {
    const found = compared?.engines[engine].find((one) => one.workload === workload)
    if (found === undefined) continue
    const { before, now } = found.cost
    const figure = `${workloadWords[workload]}, ${engineWords[engine]}, µs`
    add(figure, cost(now), `≤ ${atMost}`, now.both <= atMost, cost(before))
  }
  for (const { engine, service, floor, open, memory } of limits?.engines ?? []) {
    const on = engineWords[engine]
    add(`refresh, ${on}, beside its floor, µs`, range(service))
    add(`the floor of a refresh, ${on}, µs`, range(floor))
    const { residentMiB, peakMiB, minutes } = memory
    const most = MEMORY_MIB[engine]
    const resident = `${number(residentMiB)} (peak ${number(peakMiB)})`
    add(
      `resident after ${counted(minutes, "minute")} of load, ${on}, MiB`,
      resident,
      `≤ ${most}`,
      residentMiB <= most,
    )
    const limit = P99_MS[engine]
    const highest = `${OPEN_PART * 100} % of ${number(open.rate / OPEN_PART)}`
    const latency = `${range(open.p99)}; p50 ${number(open.p50.value)}, worst ${number(open.worst)}`
    add(
      `p99 at ${number(open.rate)} refreshes a second (${highest}), ${on}, ms`,
      latency,
      `< ${limit}`,
      open.p99.value < limit,
    )
  }
  if (growth !== null) {
    const { credentials, ofSmallest } = growth
    const figure = `rate with ${number(credentials)} credentials, of that with a thousand`
    add(figure, range(ofSmallest), `≥ ${OF_SMALLEST}`, ofSmallest.value >= OF_SMALLEST)
  }
  return rows
}

function range({ value, spread: [low, high] }: Ranged): string {
  return `${number(value)} (${number(low)} to ${number(high)})`
}

function number(value: number): string {
  return short(value).toLocaleString("en-US")
}

function cost({ node, database, both, spread }: Cost): string {
  const parts = database === 0 ? "" : `; ${number(node)} + ${number(database)}`
  return `${range({ value: both, spread })}${parts}`
}
