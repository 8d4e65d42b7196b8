/**
 * Measures the figures that have a target, and says whether each is reached:
 *
 *   npm run bench:targets -- [--against b724724b] [--parts costs,limits,growth] [--rounds 24] [--seconds 1]
 *                            [--minutes 60] [--credentials 10000000] [--work DIR] [--json FILE]
 *
 * `costs` compares this checkout with a commit (`against.ts`) in --rounds rounds, `limits` measures the floor, an open
 * loop and memory in five, and `growth` many credentials. Parts of FILE that this run does not measure stay as they
 * are. `npm run bench:report` uses docs/performance/targets.json. The exit status is 1 if a target was missed.
 */
import { measureAgainst } from "../against.ts"
import { commitNamed } from "../checkout.ts"
import { amount, chosen, count, flagsOf, refuse, resultFile, workDirectory, writeJson } from "../command.ts"
import { measureGrowth } from "../growth.ts"
import { machineOf } from "../machine.ts"
import { Generator } from "../measure.ts"
import type { Grown } from "../results.ts"
import { type Engine, engines } from "../one-service.ts"
import { full, type Plan, quick } from "../plan.ts"
import { stampNow } from "../stamp.ts"
import { type Limits, measureLimits } from "./limits.ts"
import { type Targets, verdictsOf, workloadsOf } from "./verdicts.ts"

const LIMIT_ROUNDS = 5

const asked = flagsOf({
  against: { type: "string", default: "b724724b" },
  parts: { type: "string" },
  rounds: { type: "string", default: "24" },
  seconds: { type: "string", default: "1" },
  minutes: { type: "string", default: "60" },
  credentials: { type: "string", default: "10000000" },
  work: { type: "string" },
  json: { type: "string" },
})
const [rounds, seconds] = [count("rounds", asked.rounds), amount("seconds", asked.seconds)]
const [minutes, credentials] = [amount("minutes", asked.minutes), count("credentials", asked.credentials)]
const parts = chosen("parts", asked.parts, ["costs", "limits", "growth"])
const commit =
  commitNamed(asked.against) ?? refuse(`--against: "${asked.against}" is not a commit of this repository`)
const before = resultFile<Targets>(asked.json)
const work = workDirectory("targets", asked.work)

const failures: string[] = []
let measured: Targets = { compared: null, limits: null, growth: null, ...before, machine: machineOf(work) }
if (parts.includes("costs")) await save({ compared: await compared(commit) })
if (parts.includes("limits")) await save({ limits: await limits() })
if (parts.includes("growth")) await save({ growth: await growth() })
const verdicts = verdictsOf(measured)
console.table(verdicts)
if (failures.length > 0) console.error(`failures:\n${failures.slice(0, 10).join("\n")}`)
process.exitCode = failures.length > 0 || verdicts.some(({ verdict }) => verdict === "missed") ? 1 : 0

async function save(part: Partial<Targets>): Promise<void> {
  measured = { ...measured, ...part }
  if (asked.json !== undefined) await writeJson(asked.json, measured)
}

async function compared(to: string): Promise<Targets["compared"]> {
  const on = async (engine: Engine) => {
    const options = { commit: to, engine, workloads: workloadsOf(engine), rounds, seconds, work }
    const variant = { groups: 0, signed: "off" } as const
    const against = await measureAgainst({ ...options, credentials: 50_000, variant })
    failures.push(...against.failures)
    return against.differences
  }
  const found = { sqlite: await on("sqlite"), postgres: await on("postgres") }
  return { ...stampNow(), commit: to, rounds, seconds, engines: found }
}

async function limits(): Promise<Targets["limits"]> {
  const workloads = ["refresh", "introspect", "authorize"] as const
  const plan: Plan = { ...quick, workloads, credentials: 50_000 }
  const lasting = {
    rounds: LIMIT_ROUNDS,
    seconds: 3 * seconds,
    openSeconds: 10 * seconds,
    minutes,
  }
  const found: Limits[] = []
  for (const engine of engines)
    found.push(await withGenerator((generator) => measureLimits(engine, plan, work, generator, lasting)))
  return { ...stampNow(), seconds, engines: found }
}

async function growth(): Promise<Targets["growth"]> {
  const plan: Plan = { ...full, workloads: ["refresh"], grown: [1000, credentials], starts: 1 }
  const kept = asked.work ?? work
  const grown = await withGenerator((generator) => measureGrowth(plan, { work, kept }, generator))
  const { ofSmallest, ofSmallestFrom, ofSmallestTo } = grown[grown.length - 1] as Grown
  return {
    ...stampNow(),
    credentials,
    ofSmallest: { value: ofSmallest, spread: [ofSmallestFrom, ofSmallestTo] },
  }
}

async function withGenerator<T>(measure: (generator: Generator) => Promise<T>): Promise<T> {
  const generator = new Generator()
  try {
    return await measure(generator)
  } finally {
    failures.push(...generator.failures)
    await generator.stop()
  }
}
