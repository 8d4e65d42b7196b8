/**
 * Measures the memory at rest, with many idle connections and at full load; the time from the start of the process to
 * the first answer; and what an image holds. Each round starts the server twice.
 */
import { setTimeout as pause } from "node:timers/promises"
import { say } from "../../measure.ts"
import { refreshLoop } from "../../refresh-loop.ts"
import { canPin, usageOf } from "../../server-process.ts"
import type { Context } from "../context.ts"
import { childrenOf, openPostgres, pin } from "../database.ts"
import type { Product } from "../journey/product.ts"
import { openProducts } from "../journey/products.ts"
import { connectMany } from "../journey/visitor.ts"
import type { Footprint, FootprintOf } from "../results.ts"
import { spreadOf } from "../spread.ts"
import { openIdle } from "./idle-connections.ts"
import { imageSize } from "./image.ts"

type Round = {
  readonly idle: number
  readonly connected: number
  readonly loaded: number
  readonly peak: number
}

export async function measureFootprint(context: Context): Promise<Footprint> {
  const { length, work } = context
  const { rounds, starts, idleConnections, connections, seconds } = length.footprint
  const core = canPin ? 0 : "any"
  if (canPin) pin(process.pid, 1)
  process.env["NODE_COMPILE_CACHE"] = `${work}/compiled`
  const products: Product[] = []
  const database = await openPostgres(context, core)
  try {
    await openProducts(context, core, database, products)
    const rows: FootprintOf[] = []
    for (const product of products) {
      say(`${length.footprint.credentials} credentials at ${product.name}`)
      const tokens = await connectMany(product.site, length.footprint.credentials)
      await product.server.stop()
      const measured: Round[] = []
      const started: number[] = []
      for (let at = 1; at <= rounds; at++) {
        say(`round ${at}, ${product.name}`)
        measured.push(await memoryOf(product, tokens, length.footprint, started))
        say(`${product.name}, MiB: ${JSON.stringify(measured.at(-1))}`)
      }
      while (product.name.startsWith("Latchkey") && started.length < starts) {
        say(`start ${started.length + 1} of ${starts}`)
        started.push(await product.server.start())
        await product.server.stop()
      }
      rows.push(rowOf(product.name, measured, started))
    }
    return {
      rounds,
      idleConnections,
      seconds,
      connections,
      rows,
      image: imageSize(`${work}/compiled`),
    }
  } finally {
    delete process.env["NODE_COMPILE_CACHE"]
    for (const { stop } of products) await stop()
    await database?.close()
    if (canPin) pin(process.pid, "any")
  }
}

async function memoryOf(
  { server, site }: Product,
  tokens: string[],
  { idleConnections, connections, seconds, restSeconds }: Context["length"]["footprint"],
  started: number[],
): Promise<Round> {
  // After this time, a process has freed what it needed.
  const rest = () => pause(restSeconds * 1000)
  started.push(await server.start())
  await rest()
  const idle = residentOf(server.pid).now
  const sockets = await openIdle(site.origin, idleConnections)
  await rest()
  const connected = residentOf(server.pid).now
  for (const socket of sockets) socket.destroy()
  // The memory of the connections would count as memory of the load.
  await server.stop()
  started.push(await server.start())
  await refreshLoop({ url: site.token, clientId: site.clientId, tokens }, connections, seconds)
  const { now, peak } = residentOf(server.pid)
  await server.stop()
  return { idle, connected, loaded: now, peak }
}

/** Adds up the mebibytes of a process and its children. */
function residentOf(pid: number): { readonly now: number; readonly peak: number } {
  const all = [pid, ...childrenOf(pid)].map(usageOf)
  const sum = (of: (one: (typeof all)[number]) => number) => all.reduce((total, one) => total + of(one), 0)
  return { now: sum(({ residentMiB }) => residentMiB), peak: sum(({ peakMiB }) => peakMiB) }
}

function rowOf(server: string, measured: readonly Round[], started: readonly number[]): FootprintOf {
  const each = (of: (round: Round) => number) => spreadOf(measured.map(of))
  return {
    server,
    idleMiB: each(({ idle }) => idle),
    connectedMiB: each(({ connected }) => connected),
    loadedMiB: each(({ loaded }) => loaded),
    peakMiB: each(({ peak }) => peak),
    starts: started.length,
    startMilliseconds: spreadOf(started),
  }
}
