/**
 * Compares this checkout with an earlier commit: `npm run bench -- --against COMMIT`.
 *
 * Three services run: the commit, the commit again, and this checkout. Each has a database that its own version filled.
 * The services share one core, with PostgreSQL if they use it. The generator has another one.
 * Load is applied to them in turn, in another order in each round. They start again, in another order too, after every
 * second round: two processes of the same code can differ by a fifth or more, most of all if one of them got memory that
 * no process had before. The difference between the commit and itself is the noise of the run.
 */
import { randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import { join } from "node:path"
import pg from "pg"
import { postgresMissing, type PostgresServer } from "../test/support/postgres-server.ts"
import { checkOut } from "./checkout.ts"
import { latchkeyTarget } from "./embedded.ts"
import {
  type Arm,
  ARMS,
  type Cost,
  type Difference,
  differenceOf,
  type Sample,
  type StartSamples,
} from "./difference.ts"
import { Generator, say, type Target } from "./measure.ts"
import { MANY, type Plan, quick, sizesFor } from "./plan.ts"
import type { Engine } from "./one-service.ts"
import { look, openDurable, settle } from "./postgres.ts"
import { pinFamily, printedBy, type Server, startNode, startService } from "./server-process.ts"
import type { Fill } from "./fill.ts"
import type { Workload } from "./workloads.ts"

export type AgainstOptions = {
  readonly commit: string
  readonly engine: Engine
  readonly workloads: readonly Workload[]
  readonly rounds: number
  readonly seconds: number
  readonly credentials: number
  /** What the database of this checkout has, and the other two have not. */
  readonly variant: Pick<Fill, "groups" | "signed">
  readonly work: string
}

export type Against = { readonly differences: readonly Difference[]; readonly failures: readonly string[] }

const ROUNDS_A_START = 2

/** All orders of the three services. No service is always loaded after the same one. */
const ORDERS: readonly (readonly Arm[])[] = [
  ["before", "now", "again"],
  ["again", "now", "before"],
  ["now", "before", "again"],
  ["again", "before", "now"],
  ["before", "again", "now"],
  ["now", "again", "before"],
]

export async function measureAgainst(options: AgainstOptions): Promise<Against> {
  const { commit, engine, work } = options
  const missing = engine === "postgres" ? postgresMissing() : null
  if (missing !== null) throw new Error(missing)
  const before = join(work, "before")
  if (!existsSync(before)) {
    say(`checking out ${commit.slice(0, 10)}`)
    await checkOut(commit, before)
  }
  const plan = planOf(options)
  const database = engine === "postgres" ? await openDurable(work) : null
  const generator = new Generator()
  try {
    const databasePid = database === null ? undefined : (await look(database.url())).pid
    if (databasePid !== undefined) pinFamily(databasePid, 0)
    const services = {} as Record<Arm, Service>
    for (const arm of ARMS) {
      const checkout = arm === "now" ? undefined : before
      const filled = await fill(plan, arm, checkout, work, database, options.variant)
      services[arm] = { ...filled, targetOf: (server) => ({ ...filled.targetOf(server), databasePid }) }
    }
    const measured = new Map<Workload, StartSamples[]>(options.workloads.map((workload) => [workload, []]))
    for (let round = 0; round < options.rounds; round += ROUNDS_A_START) {
      const rounds = Math.min(ROUNDS_A_START, options.rounds - round)
      say(`rounds ${round + 1} to ${round + rounds} of ${options.rounds}`)
      await measureOnce({ ...plan, many: { ...plan.many, rounds } }, generator, services, measured)
    }
    const differences = [...measured].map(([workload, starts]) => differenceOf(workload, starts))
    return { differences, failures: generator.failures }
  } finally {
    await generator.stop()
    await database?.close()
  }
}

/** Starts the three services, adds the samples of a few rounds, and stops the services. */
async function measureOnce(
  plan: Plan,
  generator: Generator,
  services: Readonly<Record<Arm, Service>>,
  measured: ReadonlyMap<Workload, StartSamples[]>,
): Promise<void> {
  const servers: Server[] = []
  const start = [...measured.values()][0]?.length ?? 0
  try {
    const targets = {} as Record<Arm, Target>
    for (const arm of orderOf(start)) {
      const server = await services[arm].start()
      servers.push(server)
      targets[arm] = services[arm].targetOf(server)
    }
    for (const [workload, starts] of measured)
      starts.push(await compareArms(plan, generator, targets, workload, start))
  } finally {
    for (const server of servers) await server.stop()
  }
}

function planOf({ workloads, rounds, seconds, credentials }: AgainstOptions): Plan {
  const warmUpSeconds = Math.max(seconds, quick.warmUpSeconds)
  // Each start has a warm-up, which uses up codes too.
  const starts = Math.ceil(rounds / ROUNDS_A_START)
  const filled = rounds + starts * Math.ceil(warmUpSeconds / seconds)
  return {
    ...quick,
    workloads,
    many: { rounds: filled, seconds },
    one: { seconds: 0, rounds: 0 },
    postgresRounds: filled,
    warmUpSeconds,
    credentials,
  }
}

/** One of the three services, with its filled database. */
type Service = {
  readonly start: () => Promise<Server>
  readonly targetOf: (server: Server) => Target
}

async function fill(
  plan: Plan,
  arm: Arm,
  checkout: string | undefined,
  work: string,
  database: PostgresServer | null,
  variant: AgainstOptions["variant"],
): Promise<Service> {
  const databaseUrl = database === null ? null : await newDatabase(database, `latchkey_${arm}`)
  const kind = database === null ? "embedded" : "postgres"
  const dir = join(work, `data-${kind}-${arm}`)
  say(`filling the database of "${arm}"`)
  const order = JSON.stringify({
    dir,
    databaseUrl,
    sizes: sizesFor(plan, kind),
    ...(checkout === undefined && variant),
  })
  await printedBy(startNode("any", ["bench/fill.ts", order], { directory: checkout }))
  if (databaseUrl !== null) await settle(databaseUrl)
  const secret = randomBytes(32).toString("base64url")
  let starts = 0
  const options = () => ({
    directory: checkout,
    log: join(work, `${arm}.log`),
    environment: {
      // Each start compiles its own code. Processes that share compiled code are equally fast by chance, and the noise
      // would look smaller than it is.
      NODE_COMPILE_CACHE: join(work, `compiled-${kind}-${arm}-${starts++}`),
      ...(databaseUrl !== null && { LATCHKEY_SECRET_KEY: secret }),
    },
    flags: databaseUrl === null ? [] : ["--database-url", databaseUrl],
  })
  return {
    start: () => startService(dir, 0, options()),
    targetOf: (server) => latchkeyTarget(plan, arm, dir, [server], kind),
  }
}

async function compareArms(
  plan: Plan,
  generator: Generator,
  targets: Readonly<Record<Arm, Target>>,
  workload: Workload,
  start: number,
): Promise<StartSamples> {
  const { rounds, seconds } = plan.many
  const measured: Record<Arm, Sample[]> = { before: [], again: [], now: [] }
  if (plan.warmUpSeconds > 0)
    for (const arm of ARMS) await generator.load(targets[arm], workload, MANY, plan.warmUpSeconds)
  for (let round = 0; round < rounds; round++) {
    for (const arm of orderOf(start * ROUNDS_A_START + round))
      measured[arm].push(await generator.load(targets[arm], workload, MANY, seconds))
    const last = ARMS.map((arm) => `${arm} ${Math.round(measured[arm].at(-1)?.requestsPerSecond ?? 0)}/s`)
    say(`${workload}: ${last.join(", ")}`)
  }
  return measured
}

function orderOf(turn: number): readonly Arm[] {
  return ORDERS[turn % ORDERS.length] ?? ARMS
}

/** Prints the table and returns the exit status. */
export function printAgainst(commit: string, { differences, failures }: Against): number {
  const percent = (part: number) => `${(100 * part).toFixed(1)} %`
  console.log(`\nThis checkout compared with ${commit}`)
  console.table(
    differences.map(({ workload, before, now, ratio, spread, noise, cost, isLoss }) => ({
      workload,
      "commit, a second": Math.round(before),
      "now, a second": Math.round(now),
      ratio: ratio.toFixed(3),
      "middle half": spread.map((one) => one.toFixed(3)).join(" to "),
      noise: percent(noise),
      "processor a request": cost.ratio.toFixed(3),
      "commit, µs": microseconds(cost.before),
      "now, µs": microseconds(cost.now),
      verdict: isLoss ? `LOSS of ${percent(1 - ratio)}` : "holds",
    })),
  )
  if (failures.length > 0) console.error(`failures:\n${failures.slice(0, 10).join("\n")}`)
  return failures.length > 0 || differences.some(({ isLoss }) => isLoss) ? 1 : 0
}

/** Formats the processor time of the node and of PostgreSQL, and their sum. */
function microseconds({ node, database, both }: Cost): string {
  const [ofNode, ofDatabase, all] = [node, database, both].map((one) => one.toFixed(1))
  return database === 0 ? `${all}` : `${ofNode} + ${ofDatabase} = ${all}`
}

async function newDatabase(server: PostgresServer, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: server.url() })
  await client.connect()
  await client.query(`CREATE DATABASE ${name}`)
  await client.end()
  return server.url(name)
}
