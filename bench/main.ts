/**
 * Measures everything in one run:
 *
 *   npm run bench -- [--quick] [--only refresh,exchange,…] [--parts embedded,postgres,growth,depth]
 *                    [--credentials 1000,…] [--rounds 5] [--seconds 3] [--work DIR] [--json FILE] [--keep]
 *   npm run bench -- --against COMMIT [--engine sqlite|postgres] [--only …] [--credentials 50000] [--rounds 24]
 *                    [--seconds 1] [--groups 0] [--signed off|on|"id_token RS256"] [--work DIR]
 *
 * The second form compares this checkout with a commit (`against.ts`). The first form takes about half an hour without
 * arguments. With --quick, it takes two minutes. --work keeps the filled
 * databases of growth for the next run. --keep leaves results in FILE that this run does not measure. The run prints
 * tables and writes FILE. `npm run bench:report` uses FILE for docs/performance.md, which explains the measurements.
 */
import { measureAgainst, printAgainst } from "./against.ts"
import { commitNamed } from "./checkout.ts"
import { amount, chosen, count, flagsOf, oneOf, optional, refuse } from "./command.ts"
import { resultFile, workDirectory, writeJson } from "./command.ts"
import { measureDepth } from "./depth.ts"
import { measureEmbedded } from "./embedded.ts"
import { measureGrowth } from "./growth.ts"
import { isComplete, keep } from "./keep.ts"
import { machineOf } from "./machine.ts"
import { Generator, say } from "./measure.ts"
import { full, type Plan, quick, tiny } from "./plan.ts"
import { engines } from "./one-service.ts"
import { measurePostgres } from "./postgres.ts"
import type { Results } from "./results.ts"
import { canPin } from "./server-process.ts"
import { stampNow } from "./stamp.ts"
import { tablesOf } from "./tables.ts"
import { type Workload, workloads } from "./workloads.ts"

const parts = ["embedded", "depth", "growth", "postgres"] as const
const comparisonFlags = ["engine", "groups", "signed"] as const
const signedVariants = ["off", "on", "id_token RS256", "id_token ES256"] as const

const asked = flagsOf({
  quick: { type: "boolean", default: false },
  tiny: { type: "boolean", default: false },
  only: { type: "string" },
  parts: { type: "string" },
  credentials: { type: "string" },
  rounds: { type: "string" },
  seconds: { type: "string" },
  work: { type: "string" },
  json: { type: "string" },
  keep: { type: "boolean", default: false },
  against: { type: "string" },
  engine: { type: "string" },
  groups: { type: "string" },
  signed: { type: "string" },
})
const [rounds, seconds] = [
  optional(count, "rounds", asked.rounds),
  optional(amount, "seconds", asked.seconds),
]
const wanted = chosen("parts", asked.parts, parts)
const plan = planOf()
refuseOtherForm()
const before = resultFile<Results>(asked.json)
if (asked.keep && before !== null && !isComplete(before)) refuse(`${asked.json}: not a file of this command`)
const work = workDirectory("bench", asked.work)
// Only the filled databases of growth are kept.
const kept = asked.work ?? work

if (asked.against !== undefined) process.exit(await compareWith(asked.against))

const measured = await run()
const results = asked.keep && before !== null ? keep(measured, before) : measured
for (const { title, rows } of tablesOf(results)) {
  console.log(`\n${title}`)
  console.table(rows)
}
console.log(
  "\nMedians of the rounds. p50, p99 and worst in milliseconds; ofBare: of the bare server's requests a second in the same " +
    "round;\nserverMicroseconds: of processor a request; generatorBusy: 1 is its whole core." +
    (asked.quick || asked.tiny ? "\nA quick run is to look at, not to quote." : ""),
)
if (asked.json !== undefined) await writeJson(asked.json, results)
if (results.failures.length > 0) {
  console.error(`failures: ${results.failures.length}\n${results.failures.slice(0, 10).join("\n")}`)
  process.exitCode = 1
}

/** A flag that the run would ignore is a mistake. */
function refuseOtherForm(): void {
  const isComparison = asked.against !== undefined
  const others = isComparison ? (["quick", "tiny", "parts", "json", "keep"] as const) : comparisonFlags
  const other = others.find((flag) => asked[flag] !== undefined && asked[flag] !== false)
  if (other !== undefined) refuse(`--${other}: ${isComparison ? "not" : "only"} with --against`)
  if (asked.keep && asked.json === undefined) refuse("--keep: only with --json")
}

/** Returns the exit status: 1 for a loss or a wrong response. */
async function compareWith(name: string): Promise<number> {
  const commit = commitNamed(name)
  if (commit === null) return refuse(`--against: "${name}" is not a commit of this repository`)
  const engine = oneOf("engine", asked.engine ?? "sqlite", engines)
  const signed = oneOf("signed", asked.signed ?? "off", signedVariants)
  const { credentials = "50000", only = "refresh,exchange,introspect" } = asked
  const compared = await measureAgainst({
    commit,
    engine,
    workloads: chosen("only", only, workloads),
    rounds: rounds ?? 24,
    seconds: seconds ?? 1,
    credentials: count("credentials", credentials),
    variant: { groups: count("groups", asked.groups ?? "0", 0), signed },
    work,
  })
  return printAgainst(commit, compared)
}

async function run(): Promise<Results> {
  const begun = performance.now()
  const machine = machineOf(work)
  say(`${machine.processor}, ${machine.cores} cores, Node ${machine.node}, ${machine.filesystem}`)
  if (machine.filesystem === "tmpfs")
    say("the databases lie in memory: no figure means anything (--work DIR)")
  if (!machine.isPinned) say("servers and the generator share their cores: figures to look at, not to quote")
  const generator = new Generator()
  try {
    const embedded = wanted.includes("embedded") ? await measureEmbedded(plan, work, generator) : null
    const depth =
      wanted.includes("depth") && plan.depths.length > 0 ? await measureDepth(plan, work, generator) : null
    const growth =
      wanted.includes("growth") && plan.grown.length > 0
        ? await measureGrowth(plan, { work, kept }, generator)
        : null
    const postgres = wanted.includes("postgres") ? await onAnyCore(measurePostgres) : null
    const { failures } = generator
    return {
      ...stampNow(),
      arguments: process.argv.slice(2),
      minutes: Math.round((performance.now() - begun) / 6000) / 10,
      machine,
      embedded,
      postgres,
      growth,
      depth,
      failures,
    }
  } finally {
    await generator.stop()
  }

  /** Several processes share the cores here, so the system chooses the core of the generator. */
  async function onAnyCore(measure: typeof measurePostgres): Promise<Results["postgres"]> {
    if (machine.cores >= 6 || !canPin) return measure(plan, work, generator)
    const free = new Generator("any")
    try {
      return await measure(plan, work, free)
    } finally {
      generator.failures.push(...free.failures)
      await free.stop()
    }
  }
}

function planOf(): Plan {
  const base = asked.tiny ? tiny : asked.quick ? quick : full
  const lengths = (given: Plan["many"]) => ({
    seconds: seconds ?? given.seconds,
    rounds: rounds ?? given.rounds,
  })
  return {
    ...base,
    workloads: chosen("only", asked.only, workloads) satisfies readonly Workload[],
    many: lengths(base.many),
    one: lengths(base.one),
    postgresRounds: rounds ?? base.postgresRounds,
    grown: asked.credentials?.split(",").map((one) => count("credentials", one)) ?? base.grown,
  }
}
