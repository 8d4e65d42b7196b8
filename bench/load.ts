/**
 * The load generator, a process of its own: so many connections for so many seconds against one server.
 *
 *   node bench/load.ts '{"port":…,"connections":64,"seconds":5,"seed":DIR,"rotates":true}'
 *
 * Prints one line of JSON. The tokens in DIR are replaced by their successors.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { type Measured, RefreshingConnection } from "./refreshing-connection.ts"

export type LoadOptions = {
  readonly port: number
  readonly connections: number
  readonly seconds: number
  /** A directory that `seed.ts` filled. */
  readonly seed: string
  readonly rotates: boolean
}

export type LoadResult = {
  readonly requestsPerSecond: number
  readonly requests: number
  readonly p50: number
  readonly p99: number
  readonly worst: number
  /** How much of its core the generator used: near 1 it would be what is measured. */
  readonly generatorBusy: number
  readonly failures: readonly string[]
}

const options = JSON.parse(process.argv[2] ?? "{}") as LoadOptions
const tokensFile = join(options.seed, "refresh-tokens")
const tokens = readFileSync(tokensFile, "utf8").split("\n")
const measured: Measured = { latencies: [], failures: [] }
const result = await run()
if (options.rotates) writeFileSync(tokensFile, tokens.join("\n"))
console.log(JSON.stringify(result))

async function run(): Promise<LoadResult> {
  const clientId = readFileSync(join(options.seed, "client-id"), "utf8")
  const load = { host: "127.0.0.1", port: options.port, clientId, rotates: options.rotates }
  const own = Array.from({ length: options.connections }, (_, i) =>
    tokens.filter((_token, at) => at % options.connections === i),
  )
  const startedAt = performance.now()
  const busyBefore = process.cpuUsage()
  const connections = own.map((some) => new RefreshingConnection(load, some, measured))
  await pause(options.seconds * 1000)
  const elapsed = (performance.now() - startedAt) / 1000
  const requests = measured.latencies.length
  const { user, system } = process.cpuUsage(busyBefore)
  for (const connection of connections) connection.finish()
  await Promise.all(connections.map(({ ended }) => ended))
  own.forEach((some, i) =>
    some.forEach((token, at) => {
      tokens[at * options.connections + i] = token
    }),
  )
  const sorted = Float64Array.from(measured.latencies).sort()
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN
  return {
    requestsPerSecond: requests / elapsed,
    requests,
    p50: at(0.5),
    p99: at(0.99),
    worst: at(1),
    generatorBusy: (user + system) / 1e6 / elapsed,
    failures: measured.failures,
  }
}
