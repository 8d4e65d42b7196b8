/**
 * Measures the whole journey: sign-in, consent, exchange, ten refreshes and revocation. Each product has the first core
 * with its database, and the generator the second. They are measured in turn.
 */
import { Agent } from "node:http"
import { say } from "../../measure.ts"
import { settle } from "../../postgres.ts"
import { canPin, familyCpuSeconds } from "../../server-process.ts"
import type { Context } from "../context.ts"
import { openPostgres, pin } from "../database.ts"
import type { Journeys, Travelled } from "../results.ts"
import { quantile, round, spreadOf } from "../spread.ts"
import type { Product } from "./product.ts"
import { openProducts } from "./products.ts"
import { TOGETHER, Visitor } from "./visitor.ts"

type Trip = {
  readonly rate: number
  /** The requests of one journey. */
  readonly requests: number
  readonly latencies: readonly number[]
  /** The microseconds of each process. */
  readonly shares: readonly number[]
  readonly busy: number
}

/** One product, with or without a sign-in. */
class Arm {
  readonly product: Product
  readonly signsIn: boolean
  readonly trips: Trip[] = []
  readonly #agent = new Agent({ keepAlive: true })
  /** Browsers that have signed in before. */
  readonly #visitors: Visitor[] = []
  #number = 0

  constructor(product: Product, signsIn: boolean) {
    this.product = product
    this.signsIn = signsIn
  }

  /** Starts journeys for some seconds, and waits until all have ended. */
  async travel(seconds: number): Promise<Trip> {
    const { shares } = this.product
    if (!this.signsIn) await this.#signIn()
    const before = shares.map(({ pid }) => familyCpuSeconds(pid))
    const [begun, busyBefore] = [performance.now(), process.cpuUsage()]
    const latencies: number[] = []
    let requests = 0
    const line = async (_: unknown, at: number) => {
      do {
        const visitor = this.#visitors[at] ?? this.#stranger()
        const [set, from] = [performance.now(), visitor.requests]
        await visitor.travel()
        latencies.push(performance.now() - set)
        requests += visitor.requests - from
      } while (performance.now() - begun < seconds * 1000)
    }
    await Promise.all(Array.from({ length: TOGETHER }, line))
    // Until the next round, the server would close them.
    this.#agent.destroy()
    if (this.#visitors.some(({ signIns }) => signIns > 0)) throw new Error("a session has ended")
    const elapsed = (performance.now() - begun) / 1000
    const { user, system } = process.cpuUsage(busyBefore)
    const used = shares.map(({ pid }, at) => familyCpuSeconds(pid) - (before[at] ?? 0))
    if (used.some((one) => one < 0)) throw new Error("a reading of the processor time was lost")
    return {
      rate: latencies.length / elapsed,
      requests: Math.round(requests / latencies.length),
      latencies,
      shares: used.map((one) => (1e6 * one) / latencies.length),
      busy: (user + system) / 1e6 / elapsed,
    }
  }

  async #signIn(): Promise<void> {
    while (this.#visitors.length < TOGETHER) {
      const visitor = this.#stranger()
      await visitor.stay()
      visitor.signIns = 0
      this.#visitors.push(visitor)
    }
  }

  #stranger(): Visitor {
    return new Visitor(this.product.site, this.#agent, this.#number++)
  }

  close(): void {
    this.#agent.destroy()
  }
}

export async function measureJourneys(context: Context): Promise<Journeys> {
  const { length } = context
  const { seconds, rounds } = length.journey
  const core = canPin ? 0 : "any"
  if (canPin) pin(process.pid, 1)
  const database = await openPostgres(context, core)
  const products: Product[] = []
  const arms: Arm[] = []
  try {
    await openProducts(context, core, database, products)
    for (const { databaseUrl } of products) if (databaseUrl !== null) await settle(databaseUrl)
    arms.push(...products.flatMap((product) => [new Arm(product, true), new Arm(product, false)]))
    for (const arm of arms) {
      say(`warming up ${nameOf(arm)}`)
      await arm.travel(arm.product.warmUpSeconds * length.journey.warmUp)
    }
    for (let at = 1; at <= rounds; at++)
      for (const arm of arms) {
        const trip = await arm.travel(seconds)
        arm.trips.push(trip)
        say(`round ${at}, ${nameOf(arm)}: ${trip.rate.toFixed(1)} journeys/s`)
      }
    const busy = arms.flatMap(({ trips }) => trips.map((trip) => trip.busy))
    const rows = arms.map(travelled)
    return { seconds, rounds, together: TOGETHER, generatorBusy: round(Math.max(...busy)), rows }
  } finally {
    for (const arm of arms) arm.close()
    for (const { stop } of products) await stop()
    await database?.close()
    if (canPin) pin(process.pid, "any")
  }
}

function nameOf({ product, signsIn }: Arm): string {
  return `${product.name}, ${signsIn ? "with" : "without"} a sign-in`
}

function travelled({ product, signsIn, trips }: Arm): Travelled {
  const latencies = trips.flatMap((trip) => trip.latencies)
  return {
    server: product.name,
    hashing: product.hashing,
    signsIn,
    requests: trips[0]?.requests ?? 0,
    journeysPerSecond: spreadOf(trips.map(({ rate }) => rate)),
    microseconds: spreadOf(trips.map(({ shares }) => shares.reduce((sum, one) => sum + one, 0))),
    shares: product.shares.map(({ of }, at) => ({
      of,
      microseconds: spreadOf(trips.map(({ shares }) => shares[at] ?? Number.NaN)).middle,
    })),
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
  }
}
