/** Runs one order of load. Several connections send one kind of request for some seconds. */
import { setTimeout as pause } from "node:timers/promises"
import type { Stock } from "./stock.ts"
import { Pace } from "./pace.ts"
import { asks, type Dialect, type Workload } from "./workloads.ts"
import { type Answer, type Measured, type Step, WireConnection } from "./wire.ts"

export type Order = {
  readonly workload: Workload
  readonly dialect: Dialect
  /** The port of each node. The connections are divided among the nodes. */
  readonly ports: readonly number[]
  readonly connections: number
  /** The load ends earlier if all tokens or codes are used up. */
  readonly seconds: number
  /** The maximum number of requests. */
  readonly most: number
  /** The requests per second of an open loop. Without it, each response is followed by the next request. */
  readonly rate?: number | undefined
  /** `fill.ts`, `oidc-provider.ts` or `seed.ts` has filled this directory. */
  readonly stock: string
}

export type Load = {
  readonly requests: number
  readonly seconds: number
  readonly requestsPerSecond: number
  /** The percentiles are in milliseconds. */
  readonly p50: number
  readonly p99: number
  readonly worst: number
  /** How much of its core the generator used. If this is near 1, the generator limits the result. */
  readonly generatorBusy: number
  readonly failures: readonly string[]
  /** The first response. */
  readonly sample: Answer | null
}

/** After this time, a response counts as lost. */
const PATIENCE_MILLISECONDS = 10_000

/** Runs an order. `stock` is the stock that the order names. */
export async function ask(order: Order, stock: Stock): Promise<Load> {
  const { workload, dialect, ports, connections, seconds, rate } = order
  const measured: Measured = { latencies: [], failures: [], sample: null }
  const pace = rate === undefined ? null : new Pace(rate)
  let left = rate === undefined ? order.most : Math.min(order.most, Math.ceil(rate * seconds))
  const upTo = (next: () => Step | null) => () => (left-- > 0 ? next() : null)
  const startedAt = performance.now()
  const busyBefore = process.cpuUsage()
  const open = Array.from({ length: connections }, (_, i) => {
    const port = ports[i % ports.length] ?? 0
    return new WireConnection(port, upTo(asks(workload, { dialect, port, stock })), measured, pace)
  })
  const all = Promise.all(open.map(({ ended }) => ended))
  const timer = new AbortController()
  // In an open loop, every request that was due is sent, or a slow server would look fast.
  const over = pause(seconds * 1000 + (pace === null ? 0 : PATIENCE_MILLISECONDS), null, timer)
  const sent = pace === null ? [] : [pace.run(() => left > 0 && !timer.signal.aborted)]
  await Promise.race([all, over.catch(() => null), ...sent])
  timer.abort()
  if (pace !== null && left > 0) measured.failures.push(`${left} requests were due and not sent`)
  const elapsed = (performance.now() - startedAt) / 1000
  const inTime = measured.latencies.length
  const { user, system } = process.cpuUsage(busyBefore)
  for (const connection of open) connection.finish()
  const cutOff = setTimeout(() => {
    measured.failures.push("answers did not come")
    for (const connection of open) connection.cutOff()
  }, PATIENCE_MILLISECONDS)
  await all
  clearTimeout(cutOff)
  const requests = pace === null ? inTime : measured.latencies.length
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
