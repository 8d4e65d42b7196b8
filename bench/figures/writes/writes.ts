/**
 * Measures what a hundred refreshes a second write to the disk. They come at a fixed rate. On PostgreSQL, a round ends
 * with a checkpoint, so that the changed pages count.
 */
import { setTimeout as pause } from "node:timers/promises"
import { say } from "../../measure.ts"
import { canPin } from "../../server-process.ts"
import type { Context } from "../context.ts"
import { type Database, openPostgres, pin } from "../database.ts"
import type { Product } from "../journey/product.ts"
import { openProducts } from "../journey/products.ts"
import { connectMany } from "../journey/visitor.ts"
import type { Writes, WritesOf } from "../results.ts"
import { quantile, spreadOf } from "../spread.ts"
import { checkpoint, databaseWrites } from "./database-writes.ts"
import { diskWrites } from "./disk.ts"
import { refreshSteadily } from "./steady.ts"
import { hasTrace, trace, type Written } from "./trace.ts"

const RATE = 100
/** PostgreSQL's processes report their counters within a second. */
const REPORT_MILLISECONDS = 1500

type Round = {
  readonly refreshes: number
  readonly latencies: readonly number[]
  readonly written: Written
  /**
   * Of the disk, for each second: what it wrote more than at rest. It is negative if other programs wrote more at rest,
   * and null where it cannot be read.
   */
  readonly disk: { readonly operations: number; readonly bytes: number } | null
}

type Arm = { readonly product: Product; readonly tokens: string[]; readonly rounds: Round[] }

export async function measureWrites(context: Context): Promise<Writes> {
  const { length, work, missing } = context
  const { seconds, rounds, credentials } = length.writes
  const core = canPin ? 0 : "any"
  if (canPin) pin(process.pid, 1)
  const database = await openPostgres(context, core)
  if (!hasTrace) missing.push("SQLite: strace is not installed")
  const products: Product[] = []
  try {
    await openProducts(context, core, database, products)
    const arms: Arm[] = []
    for (const product of products) {
      if (product.databaseUrl === null && !hasTrace) continue
      say(`${credentials} credentials at ${product.name}`)
      arms.push({ product, tokens: await connectMany(product.site, credentials), rounds: [] })
    }
    for (let at = 1; at <= rounds; at++)
      for (const arm of arms) {
        say(`round ${at}, ${arm.product.name}: ${seconds} s`)
        const round = await measureRound(arm, database, seconds, work)
        arm.rounds.push(round)
        say(`round ${at}, ${arm.product.name}: ${JSON.stringify(round.written)}`)
      }
    const rows = arms.map((arm) => rowOf(arm, seconds))
    return { rate: RATE, seconds, rounds, credentials, rows }
  } finally {
    for (const { stop } of products) await stop()
    await database?.close()
    if (canPin) pin(process.pid, "any")
  }
}

async function measureRound(
  { product, tokens, rounds }: Arm,
  database: Database | null,
  seconds: number,
  work: string,
): Promise<Round> {
  const { databaseUrl, site, shares } = product
  const idle = await diskBusy(work, () => pause(Math.min(10, seconds) * 1000))
  const count =
    databaseUrl === null ? fromTrace(shares[0]?.pid ?? 0, work, rounds.length) : fromCounters(databaseUrl)
  const { end, begun } = await count
  let latencies: number[] = []
  const busy = await diskBusy(work, async () => {
    latencies = await refreshSteadily(site, tokens, RATE, seconds)
    if (database !== null && databaseUrl !== null) await checkpoint(databaseUrl)
  })
  const written = await end()
  return {
    refreshes: latencies.length,
    latencies,
    written: {
      writes: written.writes - begun.writes,
      logBytes: written.logBytes - begun.logBytes,
      syncs: written.syncs - begun.syncs,
    },
    disk:
      busy === null || idle === null
        ? null
        : { operations: busy.operations - idle.operations, bytes: busy.bytes - idle.bytes },
  }
}

type Count = { readonly begun: Written; readonly end: () => Promise<Written> }

async function fromTrace(pid: number, work: string, round: number): Promise<Count> {
  const end = await trace(pid, `${work}/trace-${round}`)
  return { begun: { writes: 0, logBytes: 0, syncs: 0 }, end }
}

async function fromCounters(url: string): Promise<Count> {
  const counted = async () => {
    await pause(REPORT_MILLISECONDS)
    return databaseWrites(url)
  }
  await checkpoint(url)
  return { begun: await counted(), end: counted }
}

/** What the disk writes in a second while `act` runs. */
async function diskBusy(dir: string, act: () => Promise<unknown>): Promise<Round["disk"]> {
  const [before, begun] = [diskWrites(dir), performance.now()]
  await act()
  const [after, seconds] = [diskWrites(dir), (performance.now() - begun) / 1000]
  if (before === null || after === null) return null
  return {
    operations: (after.operations - before.operations) / seconds,
    bytes: (after.bytes - before.bytes) / seconds,
  }
}

function rowOf({ product, rounds }: Arm, seconds: number): WritesOf {
  const each = (of: (round: Round) => number) => spreadOf(rounds.map(of))
  return {
    server: product.name,
    writesPerSecond: each(({ written }) => written.writes / seconds),
    syncsPerSecond: each(({ written }) => written.syncs / seconds),
    logBytesPerRefresh: each(({ written, refreshes }) => written.logBytes / refreshes),
    diskOperationsPerSecond: each(({ disk }) => disk?.operations ?? Number.NaN),
    diskBytesPerSecond: each(({ disk }) => disk?.bytes ?? Number.NaN),
    p99: quantile(
      rounds.flatMap(({ latencies }) => latencies),
      0.99,
    ),
  }
}
