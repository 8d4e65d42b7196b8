/**
 * Measures what is to be reached, and says whether it is:
 *
 *   npm run bench:targets -- [--against b724724b] [--parts costs,limits,growth] [--rounds 24] [--seconds 1]
 *                            [--minutes 60] [--credentials 10000000] [--work DIR] [--json FILE]
 *
 * `costs` compares this checkout with a commit (`against.ts`), `limits` measures the floor, an open loop and memory, and
 * `growth` many credentials. FILE keeps the parts that this run does not measure. `npm run bench:report` uses
 * docs/performance/targets.json.
 */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { format } from "prettier"
import { measureAgainst } from "../against.ts"
import { commitNamed } from "../checkout.ts"
import { measureGrowth } from "../growth.ts"
import { machineOf } from "../machine.ts"
import { Generator } from "../measure.ts"
import type { Grown } from "../results.ts"
import { type Engine, engines } from "../one-service.ts"
import { full, type Plan, quick } from "../plan.ts"
import { type Limits, measureLimits } from "./limits.ts"
import { type Targets, verdictsOf, workloadsOf } from "./verdicts.ts"

const LIMIT_ROUNDS = 5

const { values: asked } = parseArgs({
  options: {
    against: { type: "string", default: "b724724b" },
    parts: { type: "string", default: "costs,limits,growth" },
    rounds: { type: "string", default: "24" },
    seconds: { type: "string", default: "1" },
    minutes: { type: "string", default: "60" },
    credentials: { type: "string", default: "10000000" },
    work: { type: "string" },
    json: { type: "string" },
  },
})
const [rounds, seconds] = [Number(asked.rounds), Number(asked.seconds)]
const parts = new Set(asked.parts.split(","))
const commit = commitNamed(asked.against)
if (commit === null) {
  console.error(`--against: "${asked.against}" is not a commit of this repository`)
  process.exit(2)
}
if (asked.work !== undefined) mkdirSync(asked.work, { recursive: true })
const work = mkdtempSync(join(asked.work ?? tmpdir(), "latchkey-targets-"))
chmodSync(work, 0o711)
process.once("exit", () => rmSync(work, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }))

const failures: string[] = []
const before = earlier()
const measured: Targets = {
  machine: machineOf(work),
  compared: parts.has("costs") ? await compared(commit) : (before?.compared ?? null),
  limits: parts.has("limits") ? await limits() : (before?.limits ?? null),
  growth: parts.has("growth") ? await growth() : (before?.growth ?? null),
}
const verdicts = verdictsOf(measured)
console.table(verdicts)
if (asked.json !== undefined)
  writeFileSync(asked.json, await format(JSON.stringify(measured), { parser: "json", printWidth: 110 }))
if (failures.length > 0) console.error(`wrong answers:\n${failures.slice(0, 10).join("\n")}`)
process.exitCode = failures.length > 0 || verdicts.some(({ verdict }) => verdict === "missed") ? 1 : 0

function earlier(): Targets | null {
  const { json } = asked
  return json !== undefined && existsSync(json) ? (JSON.parse(readFileSync(json, "utf8")) as Targets) : null
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
  return { at: now(), commit: to, rounds, seconds, engines: found }
}

async function limits(): Promise<Targets["limits"]> {
  const workloads = ["refresh", "introspect", "authorize"] as const
  const plan: Plan = { ...quick, workloads, credentials: 50_000 }
  const lasting = {
    rounds: LIMIT_ROUNDS,
    seconds: 3 * seconds,
    openSeconds: 10 * seconds,
    minutes: Number(asked.minutes),
  }
  const found: Limits[] = []
  for (const engine of engines)
    found.push(await withGenerator((generator) => measureLimits(engine, plan, work, generator, lasting)))
  return { at: now(), engines: found }
}

async function growth(): Promise<Targets["growth"]> {
  const credentials = Number(asked.credentials)
  const plan: Plan = { ...full, workloads: ["refresh"], grown: [1000, credentials], starts: 1 }
  const kept = asked.work ?? work
  const grown = await withGenerator((generator) => measureGrowth(plan, { work, kept }, generator))
  const { ofSmallest, ofSmallestFrom, ofSmallestTo } = grown[grown.length - 1] as Grown
  return { at: now(), credentials, ofSmallest: { value: ofSmallest, spread: [ofSmallestFrom, ofSmallestTo] } }
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

function now(): string {
  return new Date().toISOString()
}
