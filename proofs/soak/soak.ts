/**
 * An hour of everything at a steady rate, with a limit of memory where the system can set one. Memory, open files and
 * the log of the database must not grow, and the data grows only by what is stored.
 */
import type { Engine } from "../../test/support/database.ts"
import { addCredential } from "../../test/support/add-credential.ts"
import { limitMemory } from "../../test/support/memory-limit.ts"
import { type Span, within } from "../../test/support/spawn.ts"
import { until } from "../../test/support/until.ts"
import { Fleet } from "../mixed/fleet.ts"
import { checkAll, type Load, startLoad } from "../mixed/mixed-load.ts"
import { pause, type World } from "../mixed/world.ts"
import { type Attempt, type Figures, part, type Proof } from "../proof.ts"
import { Gauge } from "./gauge.ts"
import { median, slopeOf } from "./trend.ts"

const MEMORY_MIB = 256
const SECONDS = 3600
/** The number of requests per second. LATCHKEY_PROVE_RATE can change it. */
const RATE = Number(process.env["LATCHKEY_PROVE_RATE"] ?? 300)
/** Runs that are shorter than this have only one person. */
const SHORT_SECONDS = 30
const SAMPLES = 900
const SAMPLE_SECONDS_AT_LEAST = 0.5
const SAID_EVERY_SECONDS = 25
const WARM_UP_PART = 0.25

/**
 * A trend is judged only over at least this time. Some memory grows for most of an hour and has its own limit. A
 * database connection keeps up to 8 MiB of its pages, and V8 compiles frequent code. The live heap does not grow. A
 * leak of a hundred bytes per request would be 100 MiB an hour.
 */
const TREND_SECONDS = 1200
const GROWTH_MIB_AN_HOUR = 8
const DESCRIPTORS_AN_HOUR = 20
const LOG_OF_DATABASE_MIB = 80
/** The bytes of data for each thing that was added: a row of a kilobyte, its digests in indexes, and its events. */
const BYTES_A_THING = 8192
const BYTES_AT_FIRST = 4 * 1024 * 1024
const LOG_BYTES_A_REQUEST = 200
/** At least this many requests are sent, however short the run is and however slow the machine. */
const REQUESTS_AT_LEAST = 100
/** Old rows that housekeeping deletes. */
const OLD_CREDENTIALS = 6000

export const soak: Proof = {
  name: "soak",
  promise: "an hour of load leaves memory, open files and the database's log where they were",
  engines: ["sqlite"],
  prove: (attempt) => within((span) => prove(span, attempt)),
}

async function prove(span: Span, attempt: Attempt): Promise<Figures> {
  const { engine, seed, say, scale } = attempt
  const seconds = SECONDS * scale
  const limit = limitMemory(span, MEMORY_MIB)
  if (limit === null) say("no control group can be made here: memory is only looked at")
  const fleet = await openFleet(span, engine, limit?.through ?? [])
  const size = { installations: 24, machines: 4 }
  const people = seconds < SHORT_SECONDS ? 1 : 3
  const load = await startLoad(fleet, { seed, rate: RATE, size, people })
  const old = part(attempt, OLD_CREDENTIALS)
  await addOld(fleet, old)
  const gauge = new Gauge(fleet)
  const begun = performance.now()
  await watch(load.world, gauge, seconds, say)
  const minutes = (performance.now() - begun) / 60_000
  await load.end()
  const { record } = load.world
  const requests = record.requests
  await checkAll(load.world)
  if (limit !== null && limit.ended() > 0) throw new Error("the system ended a process for its memory")
  await isSwept(fleet)

  const [member] = fleet.members
  const steady = gauge.samples.slice(Math.floor(gauge.samples.length * WARM_UP_PART))
  const memory = steady.map(({ at, residentMiB }) => ({ at: at / 3600, value: residentMiB }))
  const descriptors = steady.map(({ at, descriptors: value }) => ({ at: at / 3600, value }))
  const edge = Math.max(1, Math.floor(memory.length / 20))
  const figures = {
    requests,
    minutes: Math.round(minutes * 10) / 10,
    "requests a second": Math.round(requests / minutes / 60),
    "memory limit": limit === null ? "looked at" : `${MEMORY_MIB} MiB, imposed`,
    "memory after warm-up, MiB": tenth(median(memory.slice(0, edge).map(({ value }) => value))),
    "memory at the end, MiB": tenth(median(memory.slice(-edge).map(({ value }) => value))),
    "memory at its peak, MiB": tenth(gauge.peakMiB),
    "growth, MiB an hour": tenth(slopeOf(memory)),
    "descriptors, median": median(descriptors.map(({ value }) => value)),
    "descriptors, growth an hour": tenth(slopeOf(descriptors)),
    "event loop delay, p99 ms": tenth(median(steady.map(({ delayMilliseconds }) => delayMilliseconds))),
    "answers, p99 ms": Math.round(record.quantile(0.99)),
    "slowest answer, ms": Math.round(record.slowest),
    "database, MiB": tenth(gauge.dataBytes / 2 ** 20),
    "its log at most, MiB": tenth(gauge.logOfDatabaseBytes / 2 ** 20),
    "things added": thingsIn(load),
    "rows past their time, gone": old,
    "service log, MiB": tenth((member?.log.length ?? 0) / 2 ** 20),
  }
  judge(figures, { seconds, gauge, load, requests, slope: slopeOf(memory), files: slopeOf(descriptors) })
  return figures
}

function openFleet(span: Span, engine: Engine, through: readonly string[]): Promise<Fleet> {
  const environment = { LATCHKEY_TRUSTED_PROXIES: "127.0.0.0/8", LATCHKEY_METRICS: "public" }
  return Fleet.open(span, { engine, count: 1, environment, through })
}

async function watch(world: World, gauge: Gauge, seconds: number, say: Attempt["say"]): Promise<void> {
  const every = Math.max(SAMPLE_SECONDS_AT_LEAST, seconds / SAMPLES)
  let saidAt = 0
  while ((gauge.seconds < seconds || world.record.requests <= REQUESTS_AT_LEAST) && !world.isEnough) {
    await pause(every * 1000)
    const { at, residentMiB, descriptors } = await gauge.look()
    if (residentMiB > MEMORY_MIB) throw new Error(`the service takes ${residentMiB} MiB`)
    if (at - saidAt < SAID_EVERY_SECONDS) continue
    saidAt = at
    say(`${world.record.requests} requests, ${residentMiB.toFixed(1)} MiB, ${descriptors} descriptors`)
  }
}

type Judged = {
  readonly seconds: number
  readonly gauge: Gauge
  readonly load: Load
  readonly requests: number
  readonly slope: number
  readonly files: number
}

function judge(figures: Figures, { seconds, gauge, load, requests, slope, files }: Judged): void {
  const isLong = seconds >= TREND_SECONDS
  const dataBytesAtMost = BYTES_AT_FIRST + thingsIn(load) * BYTES_A_THING
  const found = [
    isLong && slope > GROWTH_MIB_AN_HOUR && "memory grows",
    isLong && files > DESCRIPTORS_AN_HOUR && "open files grow",
    gauge.peakMiB > MEMORY_MIB && "memory is over the limit",
    gauge.logOfDatabaseBytes > LOG_OF_DATABASE_MIB * 2 ** 20 && "the database's log is not kept short",
    gauge.dataBytes - gauge.dataBytesAtFirst > dataBytesAtMost && "data grows by more than what is stored",
    gauge.logBytes > requests * LOG_BYTES_A_REQUEST && "the service logs too much",
  ].filter((problem) => problem !== false)
  if (found.length > 0) throw new Error(`${found.join("; ")}: ${JSON.stringify(figures)}`)
}

/** Returns the number of things that were added and kept. A refresh adds none. */
function thingsIn({ world }: Load): number {
  const adding = [
    "consent",
    "device authorization",
    "registration",
    "step-up",
    "account",
    "app",
    "setting",
    "revoke",
  ]
  return adding.reduce((sum, deed) => sum + (world.record.deeds.get(deed) ?? 0), 0)
}

async function addOld({ database }: Fleet, count: number): Promise<void> {
  const [app] = await database.rows("SELECT client_id FROM client")
  const [account] = await database.rows("SELECT user_id FROM account")
  const store = await database.open()
  const given = {
    clientId: String(app?.["client_id"]),
    userId: String(account?.["user_id"]),
    scope: "account:read",
  }
  try {
    for (let n = 0; n < count; n++) await addCredential(store, { ...given, consentedAt: LONG_AGO + n })
  } finally {
    await store.close()
  }
}

/**
 * This time is in September 2020. The year of the credentials has ended, and so has the week in which ended rows are
 * kept.
 */
const LONG_AGO = 1_600_000_000
const YEAR_SECONDS = 365 * 86_400

async function isSwept({ database }: Fleet): Promise<void> {
  const before = String(LONG_AGO + YEAR_SECONDS)
  const old = () => database.rows(`SELECT token_id FROM credential WHERE consented_at < ${before}`)
  // Housekeeping runs once a second, if the machine is fast enough.
  await until(async () => (await old()).length === 0, "rows past their time are gone")
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10
}
