/** Measures one, two and three nodes on one PostgreSQL, and how many commits this PostgreSQL makes by itself. */
import { randomBytes } from "node:crypto"
import { chmodSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { availableParallelism } from "node:os"
import pg from "pg"
import { postgresMissing, PostgresServer } from "../test/support/postgres-server.ts"
import { bareTarget, latchkeyTarget } from "./embedded.ts"
import { compare, type Generator, type Measurement, median, memoryOf, say, type Target } from "./measure.ts"
import { measureCommits } from "./pgbench.ts"
import { MANY, type Plan, sizesFor } from "./plan.ts"
import type { Figures, Memory, PerNode, Results } from "./results.ts"
import {
  canPin,
  type Core,
  printedBy,
  type Server,
  startNode,
  startService,
  usageOf,
} from "./server-process.ts"

const NODES = [1, 2, 3] as const
const CONNECTIONS_A_NODE = 4

/** With these settings, commits wait for the disk, as they do in production. */
const durableSettings = {
  shared_buffers: "256MB",
  max_wal_size: "4GB",
  wal_level: "replica",
  max_wal_senders: "5",
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
}

export async function measurePostgres(
  plan: Plan,
  work: string,
  generator: Generator,
): Promise<Results["postgres"]> {
  const missing = postgresMissing()
  if (missing !== null) {
    say(`PostgreSQL is not measured: ${missing}`)
    return null
  }
  const database = await openDurable(work)
  const servers: Server[] = []
  try {
    const url = database.url()
    const { version, pid: databasePid } = await look(url)
    const dir = join(work, "postgres")
    const environment = { LATCHKEY_SECRET_KEY: randomBytes(32).toString("base64url") }
    say(`filling PostgreSQL ${version}`)
    const sizes = sizesFor(plan, "postgres", NODES.length)
    await printedBy(startNode("any", ["bench/fill.ts", JSON.stringify({ dir, databaseUrl: url, sizes })]))
    await settle(url)
    const nodes: Server[] = []
    for (const i of NODES) {
      const options = { log: join(work, "postgres-nodes.log"), environment, flags: ["--database-url", url] }
      const node = await startService(join(work, `node-${i}`), coreOf(i), options)
      nodes.push(node)
      servers.push(node)
    }
    const idle = nodes.map(({ pid }) => usageOf(pid))
    const targets = NODES.map((count) => {
      const name = count === 1 ? "1 node" : `${count} nodes`
      return latchkeyTarget(plan, name, dir, nodes.slice(0, count), "postgres", databasePid)
    })
    const [first] = targets
    if (first === undefined) return null
    const bare = await bareTarget(plan, work, generator, first, (server) => {
      servers.push(server)
      return server
    })
    const figures = await compareAll(plan, generator, bare, targets)
    const perNode = plan.workloads.includes("refresh") ? await addNodes(plan, generator, targets) : []
    const memory = nodes.map(({ pid }, i): Memory => {
      const now = usageOf(pid)
      return memoryOf(`node ${i + 1}`, idle[i] ?? now, now)
    })
    const commits = await measureCommits(url, work, plan.commitSeconds)
    return { version, placement: placement(), commits, figures, perNode, memory }
  } finally {
    for (const server of servers) await server.stop()
    await database.close()
  }
}

async function compareAll(
  plan: Plan,
  generator: Generator,
  bare: Target,
  targets: readonly Target[],
): Promise<Figures[]> {
  const figures: Figures[] = []
  for (const workload of plan.workloads) {
    if (plan.warmUpSeconds > 0) {
      await generator.load(bare, workload, MANY, plan.warmUpSeconds)
      for (const target of targets) await generator.load(target, workload, MANY, plan.warmUpSeconds)
    }
    const many = { ...plan.many, rounds: plan.postgresRounds, workload, connections: MANY }
    figures.push(...(await compare(generator, [bare, ...targets], many)).figures)
    const one = { ...plan.one, rounds: Math.min(2, plan.one.rounds), workload, connections: 1 }
    figures.push(...(await compare(generator, [bare, ...targets.slice(0, 1)], one)).figures)
  }
  return figures
}

/**
 * Measures more and more nodes. Each additional node adds the same number of connections. The throughput grows until
 * commits limit it.
 */
async function addNodes(plan: Plan, generator: Generator, targets: readonly Target[]): Promise<PerNode[]> {
  const measured = targets.map((): Measurement[] => [])
  for (let round = 1; round <= plan.postgresRounds; round++)
    for (const [i, target] of targets.entries()) {
      const connections = CONNECTIONS_A_NODE * (i + 1)
      measured[i]?.push(await generator.load(target, "refresh", connections, plan.many.seconds))
    }
  return measured.map((all, i) => {
    const middle = (of: (one: Measurement) => number) => median(all.map(of))
    const [nodes, connections] = [i + 1, CONNECTIONS_A_NODE * (i + 1)]
    const requestsPerSecond = middle((one) => one.requestsPerSecond)
    say(`refresh, ${nodes} × ${CONNECTIONS_A_NODE} connections: ${Math.round(requestsPerSecond)}/s`)
    return {
      nodes,
      connections,
      requestsPerSecond,
      p50: middle((one) => one.p50),
      p99: middle((one) => one.p99),
    }
  })
}

/** Whether there are enough cores for the generator, each node and PostgreSQL. */
const hasRoom = canPin && availableParallelism() >= NODES.length + 3

function coreOf(node: number): Core {
  return hasRoom ? node + 1 : "any"
}

function placement(): string {
  return hasRoom
    ? "each node has a core of its own; PostgreSQL goes where the system puts it"
    : `nodes and PostgreSQL share ${availableParallelism()} cores with the generator; no node has one to itself`
}

/**
 * Does what PostgreSQL's autovacuum would have done after a minute. Without it, the planner does not know the size of
 * any table.
 */
export async function settle(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query("VACUUM ANALYZE")
    await client.query("CHECKPOINT")
  } finally {
    await client.end()
  }
}

/** Opens a server that stores its data in `work`. In a folder in memory, no commit would wait for a disk. */
export async function openDurable(work: string): Promise<PostgresServer> {
  chmodSync(work, 0o711)
  process.env["TMPDIR"] = work
  return PostgresServer.open({ durable: true, settings: durableSettings })
}

/** Returns the version of PostgreSQL and the id of its main process. */
export async function look(url: string): Promise<{ readonly version: string; readonly pid: number }> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ version: string; pid: number; fsync: string; commit: string }>(
      "SELECT current_setting('server_version') AS version, pg_backend_pid() AS pid, " +
        "current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit",
    )
    const [row] = rows
    if (row?.fsync !== "on" || row.commit !== "on") throw new Error("PostgreSQL would not wait for the disk")
    const status = readFileSync(`/proc/${row.pid}/status`, "utf8")
    return { version: row.version, pid: Number(/^PPid:\s+(\d+)$/m.exec(status)?.[1]) }
  } finally {
    await client.end()
  }
}
