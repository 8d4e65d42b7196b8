/** Measures one service beside the floor of its engine: its cost, its latency at a fixed rate, and its memory. */
import { join } from "node:path"
import { middleHalf } from "../difference.ts"
import { bareTarget } from "../embedded.ts"
import { type Generator, median, type Measurement, say, type Target } from "../measure.ts"
import { type Engine, openService } from "../one-service.ts"
import { MANY, type Plan } from "../plan.ts"
import { type Server, usageOf } from "../server-process.ts"
import { short } from "../tables.ts"

/** The part of the highest rate at which the open loop sends. */
export const OPEN_PART = 0.7

/** The median of the rounds, and the range of their middle half. */
export type Ranged = { readonly value: number; readonly spread: readonly [number, number] }

export type Limits = {
  readonly engine: Engine
  /** Microseconds of processor per refresh, of node and PostgreSQL. */
  readonly service: Ranged
  readonly floor: Ranged
  readonly open: { readonly rate: number; readonly p50: Ranged; readonly p99: Ranged; readonly worst: number }
  readonly memory: {
    readonly minutes: number
    readonly startMiB: number
    readonly residentMiB: number
    readonly peakMiB: number
  }
}

export type Lasting = {
  readonly rounds: number
  readonly seconds: number
  /** The seconds of each open loop. */
  readonly openSeconds: number
  readonly minutes: number
}

/** Requests of the load for memory. They take turns. None uses anything up. */
const MIXED = ["refresh", "introspect", "authorize"] as const
const MIXED_SECONDS = 10

export async function measureLimits(
  engine: Engine,
  plan: Plan,
  work: string,
  generator: Generator,
  { rounds, seconds, openSeconds, minutes }: Lasting,
): Promise<Limits> {
  const { target, server, databaseUrl, stop } = await openService({ engine, plan, work })
  const start = usageOf(server.pid)
  const servers: Server[] = []
  try {
    const place = databaseUrl ?? join(work, "floor.db")
    const started = (one: Server) => {
      servers.push(one)
      return one
    }
    const refreshes = { ...plan, workloads: ["refresh"] } as const
    const bare = await bareTarget(refreshes, work, generator, target, started, place)
    const targets = [
      { ...target, most: unlimited },
      { ...bare, databasePid: target.databasePid },
    ] as const
    const closed = await inTurns(generator, targets, rounds, seconds)
    for (const floor of servers.splice(0)) await floor.stop()
    const [ofService = [], ofFloor = []] = closed
    const rate = Math.round(
      OPEN_PART * Math.max(...ofService.map(({ requestsPerSecond }) => requestsPerSecond)),
    )
    const open: Measurement[] = []
    for (let round = 1; round <= rounds; round++) {
      const one = await generator.load(targets[0], "refresh", MANY, openSeconds, rate)
      say(
        `${engine}, ${rate} refreshes a second, due: p99 ${one.p99.toFixed(1)} ms, worst ${one.worst.toFixed(0)}`,
      )
      open.push(one)
    }
    await loadMixed(generator, targets[0], minutes)
    const { residentMiB, peakMiB } = usageOf(server.pid)
    return {
      engine,
      service: ranged(ofService.map(costOf)),
      floor: ranged(ofFloor.map(costOf)),
      open: {
        rate,
        p50: ranged(open.map(({ p50 }) => p50)),
        p99: ranged(open.map(({ p99 }) => p99)),
        worst: Math.max(...open.map(({ worst }) => worst)),
      },
      memory: { minutes, startMiB: start.residentMiB, residentMiB, peakMiB },
    }
  } finally {
    for (const one of servers) await one.stop()
    await stop()
  }
}

async function inTurns(
  generator: Generator,
  targets: readonly Target[],
  rounds: number,
  seconds: number,
): Promise<Measurement[][]> {
  for (const target of targets) await generator.load(target, "refresh", MANY, seconds)
  const measured = targets.map((): Measurement[] => [])
  for (let round = 1; round <= rounds; round++) {
    for (const [i, target] of targets.entries())
      measured[i]?.push(await generator.load(target, "refresh", MANY, seconds))
    const costs = targets.map(
      ({ name }, i) => `${name} ${(measured[i] ?? []).slice(-1).map(costOf).map(short).join("")} µs`,
    )
    say(`refresh, round ${round}: ${costs.join(", ")}`)
  }
  return measured
}

async function loadMixed(generator: Generator, target: Target, minutes: number): Promise<void> {
  const end = performance.now() + minutes * 60_000
  say(`${minutes} minutes of load, for the memory`)
  for (let turn = 0; performance.now() < end; turn++) {
    const workload = MIXED[turn % MIXED.length] ?? "refresh"
    const left = (end - performance.now()) / 1000
    await generator.load(target, workload, MANY, Math.min(MIXED_SECONDS, left))
  }
}

function costOf({ serverMicroseconds, databaseMicroseconds }: Measurement): number {
  return serverMicroseconds + (databaseMicroseconds ?? 0)
}

export function ranged(values: readonly number[]): Ranged {
  return { value: median(values), spread: middleHalf(values) }
}

function unlimited(): number {
  return Number.MAX_SAFE_INTEGER
}
