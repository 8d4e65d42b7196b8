/**
 * What a durable refresh costs, against an HTTP server that stores nothing, in the same run.
 *
 *   npm run bench -- [--connections 1,64] [--credentials 1000,1000000] [--seconds 5] [--rounds 5]
 *                    [--work DIR] [--json FILE]
 *
 * The bare server and one service for each number of credentials are up all the time and are loaded in turn, round
 * after round; figures are medians of the rounds. With --work the filled databases are kept and used again.
 * docs/performance.md says what bounds the figures.
 */
import { cpSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import type { LoadOptions, LoadResult } from "./load.ts"
import {
  printedBy,
  type Server,
  startBare,
  startNode,
  startService,
  type Usage,
  usageOf,
} from "./server-process.ts"

const LIVE = 20_000
/** Until the compiler has seen the whole way often enough: the service takes longer to get there than the bare server. */
const WARM_UP_SECONDS = 8

const { values: asked } = parseArgs({
  options: {
    connections: { type: "string", default: "1,64" },
    credentials: { type: "string", default: "1000,1000000" },
    seconds: { type: "string", default: "5" },
    rounds: { type: "string", default: "5" },
    work: { type: "string" },
    json: { type: "string" },
  },
})
const numbers = (text: string) => text.split(",").map(Number)

type Target = {
  readonly name: string
  readonly server: Server
  readonly seed: string
  readonly rotates: boolean
}

type Round = LoadResult & { readonly serverMicroseconds: number }

type Figures = Omit<Round, "failures" | "requests"> & {
  readonly server: string
  readonly connections: number
  readonly ofBare: number
}

const work = asked.work ?? mkdtempSync(join(tmpdir(), "latchkey-bench-"))
const targets: Target[] = []
try {
  await main()
} finally {
  for (const { server } of targets) await server.stop()
  if (asked.work === undefined) rmSync(work, { recursive: true, force: true })
}

async function main(): Promise<void> {
  const seeds: string[] = []
  for (const credentials of numbers(asked.credentials)) seeds.push(await freshCopy(credentials))
  const [first = ""] = seeds
  targets.push({ name: "bare", server: await startBare(), seed: first, rotates: false })
  for (const [i, credentials] of numbers(asked.credentials).entries()) {
    const seed = seeds[i] ?? ""
    targets.push({ name: `${credentials}`, server: await startService(seed), seed, rotates: true })
  }
  const idle = targets.map(({ server }) => usageOf(server.pid))
  for (const target of targets) await measure(target, 64, WARM_UP_SECONDS)

  const figures: Figures[] = []
  for (const connections of numbers(asked.connections)) figures.push(...(await compare(connections)))
  const memory = targets.map(({ name, server }, i) => memoryOf(name, idle[i], usageOf(server.pid)))
  const disk = numbers(asked.credentials).map((credentials, i) => sizeOf(credentials, seeds[i] ?? ""))
  console.table(figures.map(rounded))
  console.table(memory)
  console.table(disk)
  if (asked.json !== undefined)
    writeFileSync(asked.json, `${JSON.stringify({ figures, memory, disk }, null, 2)}\n`)
}

/** Loads every target once a round, so that what else the machine does falls on all of them alike. */
async function compare(connections: number): Promise<Figures[]> {
  const rounds = new Map<Target, Round[]>(targets.map((target) => [target, []]))
  for (let round = 1; round <= Number(asked.rounds); round++) {
    for (const target of targets) {
      const result = await measure(target, connections, Number(asked.seconds))
      rounds.get(target)?.push(result)
      const rate = Math.round(result.requestsPerSecond)
      console.error(`${connections} connections, round ${round}: ${target.name} ${rate}/s`)
    }
  }
  const bare = [...rounds.values()][0] ?? []
  return [...rounds].map(([{ name }, results]) => ({
    server: name,
    connections,
    requestsPerSecond: medianOf(results, "requestsPerSecond"),
    ofBare: median(results.map((one, i) => one.requestsPerSecond / (bare[i]?.requestsPerSecond ?? NaN))),
    p50: medianOf(results, "p50"),
    p99: medianOf(results, "p99"),
    worst: Math.max(...results.map(({ worst }) => worst)),
    serverMicroseconds: medianOf(results, "serverMicroseconds"),
    generatorBusy: medianOf(results, "generatorBusy"),
  }))
}

async function measure(target: Target, connections: number, seconds: number): Promise<Round> {
  const { server, seed, rotates } = target
  const before = usageOf(server.pid).cpuSeconds
  const options: LoadOptions = { port: server.port, connections, seconds, seed, rotates }
  const printed = await printedBy(startNode(1, ["bench/load.ts", JSON.stringify(options)]))
  const result = JSON.parse(printed) as LoadResult
  if (result.failures.length > 0) throw new Error(`${target.name}: ${result.failures.slice(0, 3).join("\n")}`)
  const used = usageOf(server.pid).cpuSeconds - before
  return { ...result, serverMicroseconds: (used / result.requests) * 1e6 }
}

/** A data directory that only this run writes to. */
async function freshCopy(credentials: number): Promise<string> {
  const seed = join(work, `seed-${credentials}`)
  if (!existsSync(join(seed, "refresh-tokens"))) {
    console.error(`filling a database with ${credentials} credentials`)
    rmSync(seed, { recursive: true, force: true })
    const live = Math.min(LIVE, credentials)
    await printedBy(startNode(1, ["bench/seed.ts", seed, String(credentials), String(live)]))
  }
  const copy = join(work, `run-${credentials}`)
  rmSync(copy, { recursive: true, force: true })
  cpSync(seed, copy, { recursive: true })
  return copy
}

function memoryOf(server: string, idle: Usage | undefined, now: Usage) {
  const [startMiB, endMiB, peakMiB] = [idle?.residentMiB ?? 0, now.residentMiB, now.peakMiB].map(Math.round)
  return { server, startMiB, endMiB, peakMiB }
}

function sizeOf(credentials: number, dir: string) {
  const bytes = statSync(join(dir, "latchkey.db")).size
  return { credentials, mebibytes: Math.round(bytes / 2 ** 20), bytesEach: Math.round(bytes / credentials) }
}

function rounded(figures: Figures) {
  return Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [name, typeof value === "number" ? short(value) : value]),
  )
}

function short(value: number): number {
  return value >= 100 ? Math.round(value) : Number(value.toPrecision(3))
}

function medianOf(rounds: readonly Round[], name: Exclude<keyof Round, "failures">): number {
  return median(rounds.map((round) => round[name]))
}

function median(some: readonly number[]): number {
  const sorted = some.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? NaN
}
