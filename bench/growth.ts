/** Measures refreshes, starts and disk space with a growing number of credentials. */
import { type ChildProcess, spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { request } from "node:http"
import { connect } from "node:net"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { ACCESS_TOKENS_KEPT } from "../src/kernel/limits.ts"
import { freePort } from "../test/support/free-port.ts"
import { middleHalf } from "./difference.ts"
import { bareTarget, latchkeyTarget } from "./embedded.ts"
import { compare, type Generator, median, ratios, type Rounds, say, type Target } from "./measure.ts"
import { MANY, type Plan } from "./plan.ts"
import type { Grown } from "./results.ts"
import {
  printedBy,
  type Server,
  startAlone,
  startNode,
  startService,
  stopped,
  usageOf,
} from "./server-process.ts"
import { Stock } from "./stock.ts"
import { asks } from "./workloads.ts"
import { type Measured, WireConnection } from "./wire.ts"

/** The number of credentials whose tokens are known. They are spread evenly over the table. */
const LIVE = 20_000
const START_MILLISECONDS = 60_000
/** The reading process gets one part of this many bytes at a time, which takes less than a second. */
const HELD_TOGETHER = 2 ** 26
/** The time limit for nine refreshes of each credential. They take half a minute on a slow machine. */
const LENGTHENING_SECONDS = 120

/** The database after it was filled and before anything was refreshed. */
type Filled = { readonly fillSeconds: number; readonly bytes: number }

type Seed = Filled & { readonly credentials: number; readonly dir: string }

type Started = { readonly untilHealthy: number; readonly untilRefreshed: number }

/** `kept` has the filled databases. `work` has everything else that a run needs. */
type Folders = { readonly work: string; readonly kept: string }

export async function measureGrowth(
  plan: Plan,
  { work, kept }: Folders,
  generator: Generator,
): Promise<Grown[]> {
  const seeds: Seed[] = []
  for (const credentials of plan.grown) seeds.push(await seed(kept, credentials))
  const starts: Started[] = []
  for (const one of seeds) starts.push(await starting(one, plan.starts, work))
  const servers: Server[] = []
  const holders: ChildProcess[] = []
  try {
    await hold(
      seeds.map(({ dir }) => join(dir, "latchkey.db")),
      holders,
    )
    const targets: Target[] = []
    for (const { credentials, dir } of seeds) {
      const service = await startService(dir, 0, { log: join(work, "growth.log") })
      servers.push(service)
      targets.push(latchkeyTarget(plan, `${credentials}`, dir, [service], "embedded"))
    }
    const [smallest] = targets
    if (smallest === undefined) return []
    const workload = "refresh"
    const bare = await bareTarget({ ...plan, workloads: [workload] }, work, generator, smallest, (server) => {
      servers.push(server)
      return server
    })
    for (const target of [bare, ...targets]) await generator.load(target, workload, MANY, plan.warmUpSeconds)
    const comparison = { workload, connections: MANY, ...plan.many } as const
    say("rows grow: each comes to hold as many live access tokens as are kept")
    const growing = await compare(generator, targets, comparison)
    // Every row must reach its full length, or the comparison is unfair. A thousand rows reach it within a second, but
    // twenty thousand rows do not.
    for (const [i, target] of targets.entries()) {
      const most = (ACCESS_TOKENS_KEPT + 1) * liveOf(seeds[i]?.credentials ?? LIVE)
      const { requests } = await generator.load(
        { ...target, most: () => most },
        workload,
        MANY,
        LENGTHENING_SECONDS,
      )
      if (requests < most) say(`the rows of ${target.name} are not as long as they get: too slow`)
    }
    say("rows are as long as they get")
    const { figures, rounds } = await compare(generator, [bare, ...targets], comparison)
    const used = targets.map(({ pids: [pid = 0] }) => usageOf(pid))
    for (const server of servers.splice(0)) await server.stop()
    for (const { dir } of seeds) release(dir)
    return seeds.map((one, i): Grown => {
      const target = targets[i] ?? smallest
      const figure = figures.find(({ target: name }) => name === target.name)
      const toSmallest = (of: Rounds) => ratios(of.get(target) ?? [], of.get(smallest) ?? [])
      const [ofSmallestFrom, ofSmallestTo] = middleHalf(toSmallest(rounds))
      return {
        credentials: one.credentials,
        fillSeconds: one.fillSeconds,
        databaseMiB: one.bytes / 2 ** 20,
        bytesEach: one.bytes / one.credentials,
        untilHealthy: starts[i]?.untilHealthy ?? Number.NaN,
        untilRefreshed: starts[i]?.untilRefreshed ?? Number.NaN,
        requestsPerSecond: figure?.requestsPerSecond ?? Number.NaN,
        ofSmallest: median(toSmallest(rounds)),
        ofSmallestFrom,
        ofSmallestTo,
        ofSmallestWhileGrowing: median(toSmallest(growing.rounds)),
        ofBare: figure?.ofBare ?? Number.NaN,
        p50: figure?.p50 ?? Number.NaN,
        p99: figure?.p99 ?? Number.NaN,
        serverMicroseconds: figure?.serverMicroseconds ?? Number.NaN,
        residentMiB: Math.round(used[i]?.residentMiB ?? 0),
        peakMiB: Math.round(used[i]?.peakMiB ?? 0),
      }
    })
  } finally {
    for (const server of servers) await server.stop()
    for (const holder of holders) await stopped(holder)
  }
}

/**
 * Returns a filled directory that only this run uses. If an earlier run was killed while using it, the directory is
 * filled again.
 */
async function seed(kept: string, credentials: number): Promise<Seed> {
  const dir = join(kept, `latchkey-${credentials}-credentials`)
  const begun = performance.now()
  const isThere = existsSync(join(dir, "filled")) && !existsSync(inUse(dir))
  if (!isThere) {
    say(`filling a database with ${credentials} credentials`)
    rmSync(dir, { recursive: true, force: true })
    mkdirSync(dir, { recursive: true })
    const live = String(liveOf(credentials))
    const sizes = ["--credentials", String(credentials), "--live", live]
    await printedBy(startNode(1, ["bench/seed.ts", "--data", dir, ...sizes]))
    const fillSeconds = Math.round((performance.now() - begun) / 1000)
    const { size: bytes } = statSync(join(dir, "latchkey.db"))
    writeFileSync(join(dir, "filled"), JSON.stringify({ fillSeconds, bytes } satisfies Filled))
  }
  const filled = JSON.parse(readFileSync(join(dir, "filled"), "utf8")) as Filled
  writeFileSync(inUse(dir), "")
  return { credentials, dir, ...filled }
}

function liveOf(credentials: number): number {
  return Math.min(LIVE, credentials)
}

/** While this file exists, the tokens beside the database may be older than the database. */
function inUse(dir: string): string {
  return join(dir, "in-use")
}

function release(dir: string): void {
  rmSync(inUse(dir), { force: true })
}

/**
 * Loads the files into the page cache page by page, as a service does. If `vmtouch` is installed, it keeps them there.
 * Otherwise, other programs or the machine may reclaim the memory, and the benchmark would measure the disk. Each part
 * is locked at once, because some machines reclaim memory within seconds. All parts are loaded before a service starts,
 * because a service reads an index that makes the system read ahead.
 */
async function hold(files: readonly string[], holders: ChildProcess[]): Promise<void> {
  const canHold = spawnSync("vmtouch", ["-q", "-e", ...files]).error === undefined
  if (!canHold)
    say("vmtouch is not installed: the files are in memory as far as the system leaves them there")
  for (const file of files)
    for (const [from, to] of partsOf(statSync(file).size)) {
      const environment = { UV_THREADPOOL_SIZE: "32" }
      await printedBy(startNode("any", ["bench/scattered.ts", file, `${from}`, `${to}`], { environment }))
      if (canHold) holders.push(startAlone("any", ["vmtouch", "-q", "-l", "-p", `${from}-${to}`, file]))
    }
}

function partsOf(bytes: number): [from: number, to: number][] {
  const count = Math.ceil(bytes / HELD_TOGETHER)
  return Array.from({ length: count }, (_, i) => [
    i * HELD_TOGETHER,
    Math.min(bytes, (i + 1) * HELD_TOGETHER),
  ])
}

/** Measures a start: the time until `/health` first responds with 200, and the time until a refresh is on disk. */
async function starting({ dir, credentials }: Seed, times: number, work: string): Promise<Started> {
  const all: Started[] = []
  const stock = new Stock(dir)
  for (let i = 0; i < times; i++) {
    const port = await freePort()
    const begun = performance.now()
    const launched = startService(dir, 0, { log: join(work, "growth.log"), flags: ["--port", String(port)] })
    launched.catch(() => undefined)
    await untilListening(port)
    await untilHealthy(port)
    const healthy = performance.now() - begun
    const measured: Measured = { latencies: [], failures: [], sample: null }
    const next = asks("refresh", { dialect: "latchkey", port, stock })
    let asked = 0
    await new WireConnection(port, () => (asked++ === 0 ? next() : null), measured).ended
    if (measured.latencies.length === 0) throw new Error(`after a start: ${measured.failures.join("; ")}`)
    all.push({ untilHealthy: healthy, untilRefreshed: performance.now() - begun })
    stock.save()
    await (await launched).stop()
  }
  const [healthy, refreshed] = [all.map((one) => one.untilHealthy), all.map((one) => one.untilRefreshed)]
  const found = { untilHealthy: Math.round(median(healthy)), untilRefreshed: Math.round(median(refreshed)) }
  say(
    `a start on ${credentials} credentials: ${found.untilHealthy} ms, a refresh after ${found.untilRefreshed} ms`,
  )
  return found
}

async function untilListening(port: number): Promise<void> {
  const end = performance.now() + START_MILLISECONDS
  while (!(await accepts(port))) {
    if (performance.now() > end) throw new Error("the service does not start")
    await pause(2)
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port })
    socket.once("connect", () => resolve(socket.end() === socket))
    socket.once("error", () => resolve(false))
  })
}

function untilHealthy(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port, path: "/health", agent: false }, (answer) => {
      answer.resume()
      answer.once("end", () =>
        answer.statusCode === 200 ? resolve() : reject(new Error(`/health answered ${answer.statusCode}`)),
      )
    })
    asked.once("error", reject).end()
  })
}
