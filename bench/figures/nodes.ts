/**
 * Measures what a second and a third node on one PostgreSQL add, and what limits them: the processor time of nodes,
 * PostgreSQL and generator tells whether all cores are busy.
 */
import { randomBytes } from "node:crypto"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { latchkeyTarget } from "../embedded.ts"
import { Generator, type Measurement, say, type Target } from "../measure.ts"
import { MANY, type Plan, quick, sizesFor } from "../plan.ts"
import { settle } from "../postgres.ts"
import { printedBy, type Server, startNode, startService } from "../server-process.ts"
import type { Context } from "./context.ts"
import { type Database, openPostgres, query } from "./database.ts"
import type { NodeRow, Nodes } from "./results.ts"
import { spreadOf } from "./spread.ts"

const NODES = 3
const CONNECTIONS_A_NODE = 4

type Round = Measurement & { readonly syncs: number }

type Arm = {
  readonly workload: "refresh" | "introspect"
  readonly nodes: number
  readonly connections: number
  readonly rounds: Round[]
}

const arms: readonly Omit<Arm, "rounds">[] = [1, 2, 3].flatMap((nodes) => [
  { workload: "refresh", nodes, connections: CONNECTIONS_A_NODE * nodes } as const,
  { workload: "refresh", nodes, connections: MANY } as const,
  { workload: "introspect", nodes, connections: MANY } as const,
])

export async function measureNodes(context: Context): Promise<Nodes> {
  const { length, work } = context
  const { seconds, rounds, credentials, warmUp, most } = length.nodes
  const database = await openPostgres(context, "any")
  const cores = availableParallelism()
  if (database === null) return { seconds, rounds, cores, rows: [] }
  const generator = new Generator("any")
  const servers: Server[] = []
  try {
    const targets = await open(database, planOf(context), work, credentials, servers)
    const measured: Arm[] = arms.map((arm) => ({ ...arm, rounds: [] }))
    for (const arm of measured)
      await load(generator, targets, database, arm, { seconds: warmUp, most, reportSeconds: 0 })
    for (let at = 1; at <= rounds; at++)
      for (const arm of measured) {
        const round = await load(generator, targets, database, arm, length.nodes)
        arm.rounds.push(round)
        say(
          `round ${at}, ${arm.workload}, ${arm.nodes} × node, ${arm.connections} connections: ${Math.round(round.requestsPerSecond)}/s`,
        )
      }
    if (generator.failures.length > 0) throw new Error(generator.failures.join("\n"))
    return { seconds, rounds, cores, rows: measured.map(rowOf) }
  } finally {
    await generator.stop()
    for (const server of servers) await server.stop()
    await database.close()
  }
}

function planOf({ length: { nodes } }: Context): Plan {
  const lengths = { seconds: nodes.seconds, rounds: nodes.rounds }
  return { ...quick, workloads: ["refresh", "introspect"], credentials: nodes.credentials, many: lengths }
}

/** Returns a target with one node, with two and with three. */
async function open(
  database: Database,
  plan: Plan,
  work: string,
  credentials: number,
  servers: Server[],
): Promise<readonly Target[]> {
  const [dir, databaseUrl] = [join(work, "stock"), await database.create("latchkey")]
  say(`filling PostgreSQL with ${credentials} credentials`)
  const fill = JSON.stringify({ dir, databaseUrl, sizes: sizesFor(plan, "postgres") })
  await printedBy(startNode("any", ["bench/fill.ts", fill]))
  await settle(databaseUrl)
  const environment = { LATCHKEY_SECRET_KEY: randomBytes(32).toString("base64url") }
  for (let at = 0; at < NODES; at++) {
    const options = { log: join(work, "nodes.log"), environment, flags: ["--database-url", databaseUrl] }
    servers.push(await startService(join(work, `node-${at}`), "any", options))
  }
  return servers.map((_, at) => {
    const own = servers.slice(0, at + 1)
    return latchkeyTarget(plan, `${at + 1} × node`, dir, own, "postgres", database.pid)
  })
}

async function load(
  generator: Generator,
  targets: readonly Target[],
  database: Database,
  { workload, nodes, connections }: Omit<Arm, "rounds">,
  { seconds, most, reportSeconds }: Pick<Context["length"]["nodes"], "seconds" | "most" | "reportSeconds">,
): Promise<Round> {
  const target = targets[nodes - 1]
  if (target === undefined) throw new Error(`there are no ${nodes} nodes`)
  const before = await syncsOf(database, reportSeconds)
  const measured = await generator.load({ ...target, most: () => most }, workload, connections, seconds)
  return { ...measured, syncs: (await syncsOf(database, reportSeconds)) - before }
}

/** Returns how often PostgreSQL has waited for its log to be on the disk. */
async function syncsOf(database: Database, reportSeconds: number): Promise<number> {
  await pause(reportSeconds * 1000)
  const [row] = await query<{ syncs: string }>(
    database.url(),
    "SELECT sum(fsyncs) AS syncs FROM pg_stat_io WHERE object = 'wal'",
  )
  return Number(row?.syncs)
}

function rowOf({ workload, nodes, connections, rounds }: Arm): NodeRow {
  const each = (of: (round: Round) => number) => spreadOf(rounds.map(of))
  const database = (round: Round) => round.databaseMicroseconds ?? 0
  const busy = (round: Round) =>
    (round.requestsPerSecond * (round.serverMicroseconds + database(round))) / 1e6 + round.generatorBusy
  return {
    workload,
    nodes,
    connections,
    requestsPerSecond: each((round) => round.requestsPerSecond),
    p99: each((round) => round.p99),
    nodeMicroseconds: each((round) => round.serverMicroseconds),
    databaseMicroseconds: each(database),
    coresBusy: each(busy),
    syncsPerSecond: each((round) => round.syncs / round.seconds),
  }
}
