/**
 * Opens more connections than the service has work for. Thousands are idle, hundreds send their head byte by byte, and
 * some exceed what the system allows. Other clients are served meanwhile, and no acknowledged change is lost.
 */
import { spawnSync } from "node:child_process"
import { signedInBrowser } from "../../test/support/connect.ts"
import { limitMemory } from "../../test/support/memory-limit.ts"
import { type Span, within } from "../../test/support/spawn.ts"
import { until } from "../../test/support/until.ts"
import { Fleet } from "../mixed/fleet.ts"
import { checkAll, type Load, startLoad } from "../mixed/mixed-load.ts"
import { usageOf } from "../mixed/usage.ts"
import { pause, type World } from "../mixed/world.ts"
import { type Attempt, type Figures, part, type Proof } from "../proof.ts"
import { ConnectionFlood } from "./flood.ts"

const MEMORY_MIB = 256
const IDLE = 5000
const SLOW = 500
const SECONDS_WITHOUT = 20
const SECONDS_WITH = 60
/** A run must last at least this long. With fewer responses, the slowest percent means nothing. */
const COMPARED_SECONDS = 20
const BYTE_EVERY_MILLISECONDS = 500
/** A connection gets a response within this time, however busy this machine is. */
const PATIENCE_SECONDS = 30
const COME_AT_ONCE = 1000
const LOOK_MILLISECONDS = 200
const SAID_EVERY_MILLISECONDS = 20_000
const RATE = 100
/** A proof with a scale below this has only one person. */
const SHORT = 0.05
/**
 * How many times longer the slowest percent of responses may take while these connections are open. The second number
 * is a time in milliseconds that never counts as slow.
 */
const SLOWER_AT_MOST = 4
const TOLERATED_MILLISECONDS = 500

/** A service with a tight limit has this many file descriptors left. */
const LEFT = 70
const TOO_MANY = 200
const SOON_SECONDS = 3
/** The first visit to each of these pages loads a library. */
const LOADED_LATE = ["/account/security/totp", "/account/security/passkey"]
const SECONDS_AT_LIMIT = 30
/** After the connections end, a new client must be served within this time. */
const RELIEF_MILLISECONDS = 10_000

export const connections: Proof = {
  name: "connections",
  promise: "thousands of idle and slow connections, and no descriptor left, leave other clients served",
  engines: ["sqlite"],
  prove: (attempt) => within((span) => prove(span, attempt)),
}

async function prove(span: Span, attempt: Attempt): Promise<Figures> {
  const limit = limitMemory(span, MEMORY_MIB)
  const opened = await open(span, attempt, limit?.through ?? [])
  const beside = await besideMany(opened, attempt)
  const without = await withoutDescriptors(opened, attempt)
  await opened.load.end()
  await checkAll(opened.world)
  if (limit !== null && limit.ended() > 0) throw new Error("the system ended a process for its memory")
  return {
    "memory limit": limit === null ? "looked at" : `${MEMORY_MIB} MiB, imposed`,
    ...beside,
    ...without,
  }
}

async function besideMany({ fleet, world, pid }: Opened, attempt: Attempt): Promise<Figures> {
  const { scale } = attempt
  const tell = seldom(attempt.say)
  await pause(SECONDS_WITHOUT * scale * 1000)
  const before = world.record.quantile(0.99)
  const without = usageOf(pid)
  world.record.forgetTimes()

  const visitors = new ConnectionFlood(fleet.url, PATIENCE_SECONDS)
  const idle = part(attempt, IDLE)
  const slow = part(attempt, SLOW)
  const stop = visitors.dawdle(slow, BYTE_EVERY_MILLISECONDS)
  const end = performance.now() + SECONDS_WITH * scale * 1000
  let most = { residentMiB: 0, descriptors: 0, open: 0 }
  while ((performance.now() < end || most.open < idle) && !world.isEnough) {
    // The service closes connections that were idle for too long. They are opened again.
    const missing = Math.min(idle + slow - visitors.open, COME_AT_ONCE)
    const welcomes = await visitors.arrive(Math.max(0, missing))
    if (welcomes.has("closed") || welcomes.has("waiting"))
      throw new Error(`not every connection was accepted: ${JSON.stringify([...welcomes])}`)
    await pause(LOOK_MILLISECONDS)
    most = highest(most, { ...usageOf(pid), open: visitors.open })
    if (most.residentMiB > MEMORY_MIB) throw new Error(`the service takes ${most.residentMiB} MiB`)
    tell(`${visitors.open} connections are open, ${most.residentMiB.toFixed(1)} MiB`)
  }
  const beside = world.record.quantile(0.99)
  const { slowest } = world.record
  stop()
  visitors.leave()
  await until(() => usageOf(pid).descriptors < without.descriptors + 50, "the connections are let go")
  const isLong = SECONDS_WITHOUT * scale >= COMPARED_SECONDS
  if (isLong && beside > Math.max(TOLERATED_MILLISECONDS, before * SLOWER_AT_MOST))
    throw new Error(`beside these connections 99 of 100 answers took ${beside} ms, without it ${before} ms`)
  return {
    "connections open at once": most.open,
    "of them sending byte by byte": slow,
    "memory without them, MiB": Math.round(without.residentMiB),
    "memory with them, MiB": Math.round(most.residentMiB),
    "requests of the others": world.record.requests,
    "p99 of the others without them, ms": Math.round(before),
    "p99 of the others with them, ms": Math.round(beside),
    "slowest of the others with them, ms": Math.round(slowest),
  }
}

async function withoutDescriptors({ fleet, world, pid }: Opened, attempt: Attempt): Promise<Figures> {
  const { say, scale } = attempt
  const visitors = new ConnectionFlood(fleet.url, SOON_SECONDS)
  const person = await signedInBrowser(fleet, "person0")
  const descriptors = usageOf(pid).descriptors + LEFT
  limitDescriptors(pid, descriptors)
  const welcomes = await visitors.arrive(TOO_MANY)
  const refused = (welcomes.get("closed") ?? 0) + (welcomes.get("waiting") ?? 0)
  say(`no descriptors: ${[...welcomes].map(([welcome, count]) => `${count} ${welcome}`).join(", ")}`)
  if (refused === 0) throw new Error("the limit was not reached")
  const { answered, unknown } = world.record
  let later = 0
  const end = performance.now() + SECONDS_AT_LIMIT * scale * 1000
  while (performance.now() < end && !world.isEnough) {
    await pause(100)
    // Each connection that ended has made room for another.
    await visitors.arrive(Math.max(0, TOO_MANY - visitors.open))
    // Modules that load with the first request cannot be read now. Such a request is not accepted or gets a 503.
    for (const path of LOADED_LATE) {
      const answer = await person.get(path).catch(() => null)
      if (answer === null || answer.status === 200) continue
      if (answer.status !== 503 || !answer.headers.has("retry-after"))
        throw new Error(`${path} is answered ${answer.status} while no descriptor is left`)
      later++
    }
  }
  const served = world.record.answered - answered
  visitors.leave()
  const relief = await until(() => isServed(fleet.url), "a new client is served", RELIEF_MILLISECONDS)
  for (const path of LOADED_LATE) {
    const { status } = await person.get(path)
    if (status !== 200) throw new Error(`${path} is answered ${status} after the connections have ended`)
  }
  return {
    "descriptors allowed": descriptors,
    "answered at the limit": welcomes.get("answered") ?? 0,
    "closed at the limit": welcomes.get("closed") ?? 0,
    "left waiting at the limit": welcomes.get("waiting") ?? 0,
    "requests of the others at the limit": served,
    "unknown answers at the limit": world.record.unknown - unknown,
    "answered 503 with Retry-After at the limit": later,
    "served again after, ms": Math.round(relief),
  }
}

/** Limits file descriptors from now on. Open files stay open. */
function limitDescriptors(pid: number, descriptors: number): void {
  const said = spawnSync("prlimit", ["--pid", String(pid), `--nofile=${descriptors}:`], { encoding: "utf8" })
  if (said.status !== 0) throw new Error(`prlimit: ${said.stderr}`)
}

type Opened = {
  readonly fleet: Fleet
  readonly load: Load
  readonly world: World
  readonly pid: number
}

async function open(
  span: Span,
  { engine, seed, scale }: Attempt,
  through: readonly string[],
): Promise<Opened> {
  const environment = { LATCHKEY_TRUSTED_PROXIES: "127.0.0.0/8" }
  const fleet = await Fleet.open(span, { engine, environment, through })
  const people = scale < SHORT ? 1 : 3
  const load = await startLoad(fleet, { seed, rate: RATE, people, size: { installations: 8, machines: 1 } })
  return { fleet, load, world: load.world, pid: fleet.members[0]?.pid ?? 0 }
}

async function isServed(url: string): Promise<boolean> {
  const visitor = new ConnectionFlood(url, SOON_SECONDS)
  const answer = await visitor.arrive(1)
  visitor.leave()
  return answer.has("answered")
}

type Most = { readonly residentMiB: number; readonly descriptors: number; readonly open: number }

function highest(one: Most, other: Most): Most {
  return {
    residentMiB: Math.max(one.residentMiB, other.residentMiB),
    descriptors: Math.max(one.descriptors, other.descriptors),
    open: Math.max(one.open, other.open),
  }
}

/** Returns a function that reports progress only from time to time. */
function seldom(say: Attempt["say"]): Attempt["say"] {
  let saidAt = performance.now()
  return (line) => {
    if (performance.now() - saidAt < SAID_EVERY_MILLISECONDS) return
    saidAt = performance.now()
    say(line)
  }
}
