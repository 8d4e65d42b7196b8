/** One order of load: a number of connections send one kind of request for a number of seconds. */
import { setTimeout as pause } from "node:timers/promises"
import type { Stock } from "./stock.ts"
import { asks, type Dialect, type Workload } from "./workloads.ts"
import { type Answer, type Measured, type Step, WireConnection } from "./wire.ts"

export type Order = {
  readonly workload: Workload
  readonly dialect: Dialect
  /** Of each node; connections are shared out among them. */
  readonly ports: readonly number[]
  readonly connections: number
  /** It ends sooner where nothing is left to ask with. */
  readonly seconds: number
  /** How many may be asked in all. */
  readonly most: number
  /** A directory that `fill.ts`, `oidc-provider.ts` or `seed.ts` filled. */
  readonly stock: string
}

export type Load = {
  readonly requests: number
  readonly seconds: number
  readonly requestsPerSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  readonly worst: number
  /** How much of its core the generator used: near 1 it would be what is measured. */
  readonly generatorBusy: number
  readonly failures: readonly string[]
  /** The first answer. */
  readonly sample: Answer | null
}

/** An answer that takes longer than this never comes. */
const PATIENCE_MILLISECONDS = 10_000

/** `stock` is that of the order. */
export async function ask(order: Order, stock: Stock): Promise<Load> {
  const { workload, dialect, ports, connections, seconds } = order
  const measured: Measured = { latencies: [], failures: [], sample: null }
  let left = order.most
  const upTo = (next: () => Step | null) => () => (left-- > 0 ? next() : null)
  const startedAt = performance.now()
  const busyBefore = process.cpuUsage()
  const open = Array.from({ length: connections }, (_, i) => {
    const port = ports[i % ports.length] ?? 0
    return new WireConnection(port, upTo(asks(workload, { dialect, port, stock })), measured)
  })
  const all = Promise.all(open.map(({ ended }) => ended))
  const timer = new AbortController()
  await Promise.race([all, pause(seconds * 1000, null, { signal: timer.signal }).catch(() => null)])
  timer.abort()
  const elapsed = (performance.now() - startedAt) / 1000
  const requests = measured.latencies.length
  const { user, system } = process.cpuUsage(busyBefore)
  for (const connection of open) connection.finish()
  const cutOff = setTimeout(() => {
    measured.failures.push("answers did not come")
    for (const connection of open) connection.cutOff()
  }, PATIENCE_MILLISECONDS)
  await all
  clearTimeout(cutOff)
  if (dialect !== "bare") stock.save()
  const sorted = Float64Array.from(measured.latencies).sort()
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
  return {
    requests,
    seconds: elapsed,
    requestsPerSecond: requests / elapsed,
    p50: at(0.5),
    p99: at(0.99),
    worst: at(1),
    generatorBusy: (user + system) / 1e6 / elapsed,
    failures: measured.failures.slice(0, 5),
    sample: measured.sample,
  }
}
