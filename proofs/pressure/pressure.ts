/**
 * The proof: expensive requests, and a database that another process locks, do not disturb other clients. Each part has
 * its own service on its own core and begins with a warm-up of the same kind.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { type Span, done, within } from "../../test/support/spawn.ts"
import { pause } from "../mixed/world.ts"
import { Broken, type Attempt, type Figures, part, type Proof } from "../proof.ts"
import type { AttackOrder, AttackReport } from "./attack.ts"
import { Bystanders, type Heard, quantile } from "./bystanders.ts"
import type { Found, PressurePart } from "./part.ts"
import { parts } from "./parts.ts"
import { loadCommand, stayOnLoadCore } from "./processors.ts"
import { beginPeak, openService, peakOf, type Service } from "./service.ts"

const OTHERS_MILLISECONDS = 250
const HEALTH_MILLISECONDS = 1000
const UNAVAILABLE_MILLISECONDS = 1000
const SETTLE_MILLISECONDS = 2000
/** Runs only some parts. The text has the beginnings of their names, separated by commas. */
const WANTED = (process.env["LATCHKEY_PROVE_PARTS"] ?? "").split(",")
/**
 * In a shorter run, times and memory are only reported, because the warm-up is too short and the machine may be busy.
 */
const JUDGED_SCALE = 0.5

export const pressure: Proof = {
  name: "pressure",
  promise: "under requests that cost most, and with a locked database, the other clients are served as ever",
  engines: ["sqlite", "postgres"],
  prove: (attempt) => within((span) => prove(span, attempt)),
}

async function prove(span: Span, attempt: Attempt): Promise<Figures> {
  const isPinned = stayOnLoadCore(span)
  if (!isPinned) attempt.say("the service and its load share their cores: times say little")
  const figures: Record<string, number | string> = {
    "service and load": isPinned ? "a core each" : "on any core",
  }
  const broken: string[] = []
  const wanted = parts.filter(({ name }) => WANTED.some((beginning) => name.startsWith(beginning)))
  for (const one of wanted.filter(({ engines }) => engines.includes(attempt.engine))) {
    const found = await within((own) => press(own, attempt, one))
    for (const [name, figure] of Object.entries(found.figures)) figures[`${one.name}: ${name}`] = figure
    broken.push(...found.broken.map((problem) => `${one.name}: ${problem}`))
    attempt.say(`${one.name}: ${found.broken.length === 0 ? "holds" : found.broken.join("; ")}`)
  }
  if (broken.length > 0) throw new Broken(broken, figures)
  return figures
}

async function press(span: Span, attempt: Attempt, one: PressurePart): Promise<Found> {
  const service = await openService(span, attempt.engine)
  const bystanders = await Bystanders.begin(span, service, one.mayBeUnavailable)
  const warmUp = { count: part(attempt, one.warmUpCount), seconds: one.warmUpSeconds * attempt.scale }
  await attack(service, one, warmUp)
  await pause(SETTLE_MILLISECONDS * Math.min(1, attempt.scale))
  const before = beginPeak(service.pid)
  bystanders.forget()
  let isOver = false
  const beside = one.beside?.(service, bystanders, () => isOver)
  beside?.catch(() => undefined)
  const seconds = Math.max(one.seconds * attempt.scale, one.leastSeconds ?? 0)
  const whole = { count: part(attempt, one.count), seconds }
  const report = await attack(service, one, whole)
  isOver = true
  const besides = await beside
  // Responses that the attack delayed count too.
  await bystanders.end()
  const found = [
    measured({
      one,
      heard: bystanders.heard,
      report,
      before,
      peak: peakOf(service.pid),
    }),
    besides,
    await one.afterwards?.(service, report, bystanders),
  ].filter((some) => some !== undefined)
  found.push(await nothingIsLost(service, bystanders))
  const isJudged = attempt.scale >= JUDGED_SCALE
  return {
    figures: Object.assign({}, ...found.map(({ figures }) => figures)) as Figures,
    broken: found.flatMap(({ broken, exceeded = [] }) => [...broken, ...(isJudged ? exceeded : [])]),
  }
}

async function attack(
  { engine, dir, database, url, app }: Service,
  { kind, name }: PressurePart,
  { count, seconds }: { readonly count: number; readonly seconds: number },
): Promise<AttackReport> {
  const order: AttackOrder = {
    kind,
    url,
    count,
    seconds,
    clientId: app.clientId,
    database:
      engine === "sqlite" ? join(dir, "latchkey.db") : (database.environment["LATCHKEY_DATABASE_URL"] ?? ""),
  }
  const script = join(import.meta.dirname, "attack.ts")
  const [file, ...args] = [...loadCommand, process.execPath, script, JSON.stringify(order)]
  const child = spawn(file, args, { stdio: ["ignore", "pipe", "inherit"] })
  let text = ""
  child.stdout.setEncoding("utf8").on("data", (more: string) => (text += more))
  const [code] = (await once(child, "close")) as [number | null]
  if (code !== 0) throw new Error(`${name}: the attack ended with ${code}`)
  return JSON.parse(text) as AttackReport
}

type Measurement = {
  readonly one: PressurePart
  readonly heard: readonly Heard[]
  readonly report: AttackReport
  readonly before: number
  readonly peak: number
}

function measured({ one, heard, report, before, peak }: Measurement): Found {
  const times = (of: (one: Heard) => boolean) => heard.filter(of).map(({ milliseconds }) => milliseconds)
  const others = times(({ kind, status }) => kind !== "health" && status !== 503)
  const unavailable = times(({ status }) => status === 503)
  const health = times(({ kind }) => kind === "health")
  const p99 = Math.round(quantile(others, 0.99))
  const [slowest, refused] = [health, unavailable].map((some) => Math.round(Math.max(0, ...some)))
  const growth = Math.round(peak - before)
  const exceeded = [
    growth >= one.growthMiB && `memory grew by ${growth} MiB`,
    p99 >= OTHERS_MILLISECONDS && `99 of 100 answers to others took ${p99} ms`,
    (slowest ?? 0) >= HEALTH_MILLISECONDS && `/health took ${slowest} ms`,
    (refused ?? 0) >= UNAVAILABLE_MILLISECONDS && `a 503 took ${refused} ms`,
  ].filter((problem) => problem !== false)
  return {
    figures: {
      ...report.counts,
      "memory before, MiB": Math.round(before),
      "memory grew at most by, MiB": growth,
      "answers to others": others.length,
      "p99 of them, ms": p99,
      "slowest /health, ms": slowest ?? 0,
      ...(unavailable.length > 0 && { "slowest 503, ms": refused ?? 0 }),
    },
    broken: [],
    exceeded,
  }
}

async function nothingIsLost({ dir, engine }: Service, bystanders: Bystanders): Promise<Found> {
  const lost = await bystanders.countLost()
  const broken = lost === 0 ? [] : [`${lost} credentials lost what was acknowledged`]
  if (engine === "sqlite") {
    const problem = await done(dir, ["verify"]).then(
      () => null,
      (error: Error) => error.message,
    )
    if (problem !== null) broken.push(problem)
  }
  return { figures: { "answers lost": lost }, broken }
}
