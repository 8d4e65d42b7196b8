/**
 * Measures how many changes share a commit when more connections send requests at once. The numbers come from
 * `/metrics`.
 */
import { join } from "node:path"
import { latchkeyTarget } from "./embedded.ts"
import { type Generator, say } from "./measure.ts"
import { MANY, type Plan, sizesFor } from "./plan.ts"
import type { Depth } from "./results.ts"
import { freePort } from "../test/support/free-port.ts"
import { printedBy, startNode, startService } from "./server-process.ts"

export async function measureDepth(plan: Plan, work: string, generator: Generator): Promise<Depth[]> {
  const dir = join(work, "depth")
  const sizes = sizesFor({ ...plan, workloads: ["refresh"] }, "embedded")
  await printedBy(startNode(1, ["bench/fill.ts", JSON.stringify({ dir, databaseUrl: null, sizes })]))
  const metrics = await freePort()
  const flags = ["--metrics", String(metrics)]
  const service = await startService(dir, 0, { log: join(work, "depth.log"), flags })
  try {
    const target = latchkeyTarget(plan, "Latchkey", dir, [service], "embedded")
    await generator.load(target, "refresh", MANY, plan.warmUpSeconds)
    const depths: Depth[] = []
    for (const connections of plan.depths) {
      const before = await batches(metrics)
      const { requestsPerSecond, p50, p99 } = await generator.load(
        target,
        "refresh",
        connections,
        plan.depthSeconds,
      )
      const after = await batches(metrics)
      const changesACommit = (after.changes - before.changes) / (after.commits - before.commits)
      depths.push({ connections, requestsPerSecond, changesACommit, p50, p99 })
      say(
        `${connections} connections: ${Math.round(requestsPerSecond)}/s, ${changesACommit.toFixed(1)} a commit`,
      )
    }
    return depths
  } finally {
    await service.stop()
  }
}

async function batches(port: number): Promise<{ readonly changes: number; readonly commits: number }> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const of = (name: string) =>
    Number(new RegExp(`^latchkey_store_commit_changes_${name} (\\S+)$`, "m").exec(text)?.[1])
  return { changes: of("sum"), commits: of("count") }
}
