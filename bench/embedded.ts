/**
 * Measures one service with its embedded database, the bare server and `oidc-provider`. They use the first core in
 * turn.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { compare, type Generator, memoryOf, say, type Target } from "./measure.ts"
import { MANY, mostOf, type Plan, sizesFor } from "./plan.ts"
import type { Figures, Memory, Results } from "./results.ts"
import {
  printedBy,
  running,
  type Server,
  startApi,
  startNode,
  startService,
  usageOf,
} from "./server-process.ts"
import type { Workload } from "./workloads.ts"
import type { Answer } from "./wire.ts"

export async function measureEmbedded(
  plan: Plan,
  work: string,
  generator: Generator,
): Promise<NonNullable<Results["embedded"]>> {
  const servers: Server[] = []
  const started = (server: Server) => {
    servers.push(server)
    return server
  }
  try {
    const dir = join(work, "embedded")
    const log = join(work, "embedded.log")
    say("filling Latchkey and oidc-provider")
    const sizes = sizesFor(plan, "embedded")
    const fill = JSON.stringify({ dir, databaseUrl: null, sizes })
    await printedBy(startNode(1, ["bench/fill.ts", fill]))
    const service = started(await startService(dir, 0, { log }))
    const services = latchkeyTarget(plan, "Latchkey", dir, [service], "embedded")
    const bare = await bareTarget(plan, work, generator, services, started)
    const peer = await oidcTarget(plan, work, started)
    const targets = [bare, services, peer]
    const idle = servers.map(({ pid }) => usageOf(pid))
    const figures = await compareAll(plan, generator, targets)
    const names = ["Latchkey", "bare", "oidc-provider"]
    const memory = servers.map(({ pid }, i): Memory => {
      const before = idle[i] ?? usageOf(pid)
      return memoryOf(names[i] ?? "", before, usageOf(pid))
    })
    return { figures, memory }
  } finally {
    for (const server of servers) await server.stop()
  }
}

async function compareAll(plan: Plan, generator: Generator, targets: readonly Target[]): Promise<Figures[]> {
  const figures: Figures[] = []
  for (const workload of plan.workloads) {
    if (plan.warmUpSeconds > 0)
      for (const target of targets) await generator.load(target, workload, MANY, plan.warmUpSeconds)
    for (const [connections, lengths] of [
      [MANY, plan.many],
      [1, plan.one],
    ] as const) {
      const compared = await compare(generator, targets, { workload, connections, ...lengths })
      figures.push(...compared.figures)
    }
  }
  return figures
}

/** Returns a target with one or more nodes, which share one stock. */
export function latchkeyTarget(
  plan: Plan,
  name: string,
  stock: string,
  nodes: readonly Server[],
  kind: "embedded" | "postgres",
  databasePid?: number,
): Target {
  const ports = nodes.map(({ port }) => port)
  return {
    name,
    dialect: "latchkey",
    stock,
    ports: () => ports,
    pids: nodes.map(({ pid }) => pid),
    databasePid,
    most: (connections, seconds) => mostOf(plan, kind, connections, seconds),
  }
}

/**
 * Starts the bare server. First requests each workload once from `of`, so that the bare server can send the same
 * response. With `floor`, the server is `floor.ts` on this database.
 */
export async function bareTarget(
  { workloads, askedAtMost }: Pick<Plan, "workloads" | "askedAtMost">,
  work: string,
  generator: Generator,
  of: Target,
  started: (server: Server) => Server,
  floor?: string,
): Promise<Target> {
  const answers: Partial<Record<Workload, Answer>> = {}
  for (const workload of workloads) {
    const { sample } = await generator.load({ ...of, most: () => 1 }, workload, 1, 5)
    if (sample === null) throw new Error(`${workload}: ${generator.failures.at(-1) ?? "no answer"}`)
    answers[workload] = sample
  }
  const file = join(work, "answers.json")
  writeFileSync(file, JSON.stringify(answers))
  const bare = ["bench/bare.ts", file, of.stock]
  let ports: Partial<Record<Workload, number>> = {}
  const server = started(
    await running(startNode(0, floor === undefined ? bare : ["bench/floor.ts", file, floor]), (line) => {
      ports = JSON.parse(line) as typeof ports
      return 0
    }),
  )
  return {
    name: floor === undefined ? "bare" : "floor",
    dialect: "bare",
    stock: of.stock,
    ports: (workload) => [ports[workload] ?? 0],
    pids: [server.pid],
    most: () => askedAtMost,
  }
}

async function oidcTarget(plan: Plan, work: string, started: (server: Server) => Server): Promise<Target> {
  const stock = join(work, "oidc-provider")
  const options = JSON.stringify({ dir: stock, sizes: sizesFor(plan, "oidc-provider") })
  const { port, pid } = started(await startApi(["bench/oidc-provider.ts", options]))
  return {
    name: "oidc-provider",
    dialect: "oidc-provider",
    stock,
    ports: () => [port],
    pids: [pid],
    most: (connections, seconds) => mostOf(plan, "oidc-provider", connections, seconds),
  }
}
