/**
 * Measures where the processor time of a request goes:
 *
 *   npm run bench:stages -- [--engine sqlite|postgres] [--rounds 5] [--seconds 2] [--work DIR] [--json FILE]
 *
 * Each round applies load twice: without a profiler, which says how much time a request takes, and with it, which says
 * how it is divided. `stages.ts` says which code belongs to which stage. `npm run bench:report` uses
 * docs/performance/stages.json. An engine that this run does not measure stays in FILE as it is.
 */
import { amount, chosen, count, flagsOf, resultFile, workDirectory, writeJson } from "../command.ts"
import { machineOf } from "../machine.ts"
import { Generator, median, say } from "../measure.ts"
import { type Engine, engines, engineWords, type OneService, openService } from "../one-service.ts"
import { MANY, type Plan, quick, sizesFor, tiny } from "../plan.ts"
import type { StageBudget, Stages } from "../results.ts"
import { mainThreadSeconds } from "../server-process.ts"
import { stampNow } from "../stamp.ts"
import { short } from "../tables.ts"
import type { Workload } from "../workloads.ts"
import { INSPECTED, Profiler } from "./profile.ts"
import { type Stage, stages, stageWords } from "./stages.ts"

const WORKLOADS = ["refresh", "exchange", "introspect", "poll-pending", "authorize"] as const

const asked = flagsOf({
  engine: { type: "string" },
  rounds: { type: "string", default: "5" },
  seconds: { type: "string", default: "2" },
  tiny: { type: "boolean", default: false },
  work: { type: "string" },
  json: { type: "string" },
})
const [rounds, seconds] = [count("rounds", asked.rounds), amount("seconds", asked.seconds)]
const wanted = chosen("engine", asked.engine, engines)
let all: Stages = resultFile<Stages>(asked.json) ?? {}
const plan = planOf()
const work = workDirectory("stages", asked.work)

const generator = new Generator()
try {
  for (const engine of wanted) {
    const budgets = await budgetsOf(engine)
    const measured = { ...stampNow(), machine: machineOf(work), rounds, seconds, budgets }
    all = { ...all, [engine]: measured }
    print(engine, budgets)
    if (asked.json !== undefined) await writeJson(asked.json, all)
  }
  if (generator.failures.length > 0) {
    console.error(`failures:\n${generator.failures.slice(0, 10).join("\n")}`)
    process.exitCode = 1
  }
} finally {
  await generator.stop()
}

function planOf(): Plan {
  // Each round needs codes twice.
  const lengths = asked.tiny ? tiny.many : { seconds, rounds: 2 * rounds }
  const base = asked.tiny ? tiny : { ...quick, credentials: 50_000, warmUpSeconds: seconds }
  return { ...base, workloads: WORKLOADS, many: lengths, postgresRounds: lengths.rounds }
}

async function budgetsOf(engine: Engine): Promise<StageBudget[]> {
  // A device that polled rests, so each poll needs a device of its own.
  const { codes: pending } = sizesFor(plan, engine === "postgres" ? "postgres" : "embedded")
  const service = await openService({ engine, plan, work, sizes: { pending }, environment: INSPECTED })
  const profiler = await Profiler.connect(service.log)
  try {
    const budgets: StageBudget[] = []
    for (const workload of WORKLOADS)
      budgets.push({ workload, ...(await measure(service, profiler, workload)) })
    return budgets
  } finally {
    profiler.close()
    await service.stop()
  }
}

async function measure(
  { target, server: { pid } }: OneService,
  profiler: Profiler,
  workload: Workload,
): Promise<Pick<StageBudget, "stages" | "total">> {
  const load = () => generator.load(target, workload, MANY, plan.many.seconds)
  // What is compiled while a profiler runs has the names of inlined functions.
  await profiler.start()
  if (plan.warmUpSeconds > 0) await generator.load(target, workload, MANY, plan.warmUpSeconds)
  await profiler.stop()
  const measured: ReadonlyMap<Stage, number>[] = []
  for (let round = 1; round <= (asked.tiny ? 1 : rounds); round++) {
    const before = mainThreadSeconds(pid)
    const { requests, requestsPerSecond, serverMicroseconds, databaseMicroseconds } = await load()
    const ofMain = requests === 0 ? 0 : ((mainThreadSeconds(pid) - before) * 1e6) / requests
    await profiler.start()
    await load()
    const parts = await profiler.stop()
    const costs = new Map([...parts].map(([stage, part]) => [stage, part * ofMain]))
    costs.set("threads", Math.max(0, serverMicroseconds - ofMain)).set("database", databaseMicroseconds ?? 0)
    measured.push(costs)
    say(`${workload}, round ${round}: ${Math.round(requestsPerSecond)}/s, ${short(sumOf(costs))} µs`)
  }
  return {
    stages: stages.map((stage) => ({ stage, ...spread(measured.map((costs) => costs.get(stage) ?? 0)) })),
    total: spread(measured.map(sumOf)),
  }
}

function sumOf(costs: ReadonlyMap<Stage, number>): number {
  return [...costs.values()].reduce((sum, one) => sum + one, 0)
}

function spread(values: readonly number[]) {
  return { microseconds: median(values), least: Math.min(...values), most: Math.max(...values) }
}

function print(engine: Engine, budgets: readonly StageBudget[]): void {
  console.log(`\n${engineWords[engine]}, µs of processor a request`)
  const row = (name: string, of: (budget: StageBudget) => number) => [
    name,
    Object.fromEntries(budgets.map((budget) => [budget.workload, short(of(budget))])),
  ]
  const cost = (stage: Stage) => (budget: StageBudget) =>
    budget.stages.find((one) => one.stage === stage)?.microseconds ?? 0
  const rows = stages.map((stage) => row(stageWords[stage], cost(stage)))
  console.table(Object.fromEntries([...rows, row("all", ({ total }) => total.microseconds)]) as object)
}
