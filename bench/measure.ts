/** Applies load to targets in turn, in several rounds. Other work of the machine then affects all targets equally. */
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import type { Load, Order } from "./order.ts"
import type { Figures, Memory } from "./results.ts"
import {
  canPin,
  type Core,
  familyCpuSeconds,
  startNode,
  stopped,
  type Usage,
  usageOf,
} from "./server-process.ts"
import type { Dialect, Workload } from "./workloads.ts"

export type Target = {
  readonly name: string
  readonly dialect: Dialect
  readonly stock: string
  /** Returns the port of each node. The bare server has a different port for each workload. */
  readonly ports: (workload: Workload) => readonly number[]
  readonly pids: readonly number[]
  /** The main process of the PostgreSQL that the target uses. */
  readonly databasePid?: number | undefined
  readonly most: (connections: number, seconds: number) => number
}

export type Measurement = Load & {
  readonly serverMicroseconds: number
  readonly databaseMicroseconds: number | null
}

export class Generator {
  readonly #child: ChildProcess
  #answered: ((line: string) => void) | null = null
  readonly #ended: Promise<never>
  /** Each entry names a target and what was wrong with its response. */
  readonly failures: string[] = []

  constructor(core: Core = canPin ? 1 : "any") {
    this.#child = startNode(core, ["bench/generator.ts"], { readsInput: true })
    if (this.#child.stdout === null) throw new Error("the generator did not start")
    createInterface(this.#child.stdout).on("line", (line) => this.#answered?.(line))
    this.#ended = once(this.#child, "close").then((): never => {
      throw new Error("the generator ended")
    })
    this.#ended.catch(() => undefined)
  }

  /** With `rate`, the loop is open: that many requests a second are sent, whether earlier ones were answered or not. */
  async load(
    target: Target,
    workload: Workload,
    connections: number,
    seconds: number,
    rate?: number,
  ): Promise<Measurement> {
    const { name, dialect, stock, pids, databasePid } = target
    const most = target.most(connections, seconds)
    const order: Order = {
      workload,
      dialect,
      ports: target.ports(workload),
      connections,
      seconds,
      stock,
      most,
      rate,
    }
    const before = pids.map((pid) => usageOf(pid).cpuSeconds)
    const databaseBefore = databasePid === undefined ? 0 : familyCpuSeconds(databasePid)
    const load = await this.#ask(order)
    const used = pids.reduce((sum, pid, i) => sum + usageOf(pid).cpuSeconds - (before[i] ?? 0), 0)
    for (const failure of load.failures)
      this.failures.push(`${name}, ${workload}, ${connections}: ${failure}`)
    if (load.requests === 0) this.failures.push(`${name}, ${workload}, ${connections}: no answer at all`)
    const each = (busy: number) => (load.requests === 0 ? 0 : (busy / load.requests) * 1e6)
    return {
      ...load,
      serverMicroseconds: each(used),
      databaseMicroseconds:
        databasePid === undefined ? null : each(familyCpuSeconds(databasePid) - databaseBefore),
    }
  }

  async #ask(order: Order): Promise<Load> {
    const answered = new Promise<string>((resolve) => (this.#answered = resolve))
    this.#child.stdin?.write(`${JSON.stringify(order)}\n`)
    return JSON.parse(await Promise.race([answered, this.#ended])) as Load
  }

  stop(): Promise<void> {
    return stopped(this.#child)
  }
}

export type Comparison = {
  readonly workload: Workload
  readonly connections: number
  readonly seconds: number
  readonly rounds: number
}

export type Rounds = ReadonlyMap<Target, readonly Measurement[]>

/** Measures the targets. The others are compared with the first one. */
export async function compare(
  generator: Generator,
  targets: readonly Target[],
  { workload, connections, seconds, rounds }: Comparison,
): Promise<{ readonly figures: Figures[]; readonly rounds: Rounds }> {
  const measured = new Map<Target, Measurement[]>(targets.map((target) => [target, []]))
  for (let round = 1; round <= rounds; round++) {
    for (const target of targets) {
      const one = await generator.load(target, workload, connections, seconds)
      measured.get(target)?.push(one)
    }
    say(`${workload}, ${connections} at once, round ${round}: ${summary(measured)}`)
  }
  const [bare = []] = measured.values()
  const figures = [...measured].map(([{ name }, all]): Figures => {
    const middle = (of: (one: Measurement) => number) => median(all.map(of))
    return {
      workload,
      target: name,
      connections,
      rounds,
      requests: all.reduce((sum, { requests }) => sum + requests, 0),
      requestsPerSecond: middle((one) => one.requestsPerSecond),
      ofBare: median(ratios(all, bare)),
      p50: middle((one) => one.p50),
      p99: middle((one) => one.p99),
      worst: Math.max(...all.map(({ worst }) => worst)),
      serverMicroseconds: middle((one) => one.serverMicroseconds),
      databaseMicroseconds:
        all[0]?.databaseMicroseconds === null ? null : middle((one) => one.databaseMicroseconds ?? 0),
      generatorBusy: middle((one) => one.generatorBusy),
    }
  })
  return { figures, rounds: measured }
}

/** Returns one ratio for each round. */
export function ratios(all: readonly Measurement[], to: readonly Measurement[]): number[] {
  return all.map((one, i) => one.requestsPerSecond / (to[i]?.requestsPerSecond ?? Number.NaN))
}

/** Returns the median. For an even number of values, this is the mean of the middle two. */
export function median(some: readonly number[]): number {
  const sorted = some.toSorted((a, b) => a - b)
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2
}

export function memoryOf(target: string, start: Usage, now: Usage): Memory {
  const { residentMiB, peakMiB } = now
  return {
    target,
    startMiB: Math.round(start.residentMiB),
    endMiB: Math.round(residentMiB),
    peakMiB: Math.round(peakMiB),
  }
}

/** Writes progress to standard error. */
export function say(text: string): void {
  console.error(`${String(Math.floor(process.uptime())).padStart(5)} s  ${text}`)
}

function summary(measured: ReadonlyMap<Target, readonly Measurement[]>): string {
  return [...measured]
    .map(([{ name }, all]) => `${name} ${Math.round(all.at(-1)?.requestsPerSecond ?? 0)}/s`)
    .join(", ")
}
