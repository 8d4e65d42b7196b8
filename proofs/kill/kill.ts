/**
 * The service is killed with `kill -9` every few seconds, while apps and people do everything. Each of them then
 * continues and remembers its responses. All responses must hold. A request without a response must have one outcome.
 */
import { done, type Span, within } from "../../test/support/spawn.ts"
import { Choice } from "../choice.ts"
import { Fleet } from "../mixed/fleet.ts"
import { countLost, startLoad } from "../mixed/mixed-load.ts"
import { figuresOf, reasonsOf } from "../mixed/unavailable.ts"
import type { World } from "../mixed/world.ts"
import { type Attempt, type Figures, part, type Proof } from "../proof.ts"
import { Killer } from "./killer.ts"
import { checkTrail } from "./trail.ts"

const SECONDS = 600
const NODES = 3
/** The number of requests per second between storms. It leaves room for other processes of the machine. */
const RATE = 300
const VERIFIED_EVERY = 10
const SAID_EVERY_MILLISECONDS = 20_000
/** If more than this fraction of lost refreshes was repeated too late, the proof has shown nothing. */
const LATE_PART = 0.02
/** A run has at least this many kills, however short it is. */
const KILLS_AT_LEAST = 3
/** The number of lives that run at the same time. A run of a few seconds has fewer. */
const FULL_LOAD = { installations: 16, machines: 3 }
const SMALL_LOAD = { installations: 8, machines: 1 }
const SHORT = 0.02

export const kill: Proof = {
  name: "kill",
  promise: "killed in the middle of anything, the service has lost nothing that it answered",
  engines: ["sqlite", "postgres"],
  prove: (attempt) => within((span) => prove(span, attempt)),
}

async function prove(span: Span, attempt: Attempt): Promise<Figures> {
  const { engine, seed, say } = attempt
  const environment = { LATCHKEY_TRUSTED_PROXIES: "127.0.0.0/8" }
  const isShort = attempt.scale < SHORT
  const fleet = await Fleet.open(span, { engine, count: isShort ? 2 : NODES, environment })
  const size = isShort ? SMALL_LOAD : FULL_LOAD
  const load = await startLoad(fleet, { seed, rate: RATE, size, people: isShort ? 1 : 3 })
  const { world } = load
  const killer = new Killer(world, new Choice(seed), part(attempt, SECONDS))
  const end = performance.now() + part(attempt, SECONDS) * 1000
  let verified = 0
  let saidAt = performance.now()
  while ((performance.now() < end || killer.kills < KILLS_AT_LEAST) && !world.isEnough) {
    await killer.strike(async () => {
      if (killer.rounds % VERIFIED_EVERY !== 0) return
      await verify(fleet)
      verified++
    })
    if (performance.now() - saidAt < SAID_EVERY_MILLISECONDS) continue
    saidAt = performance.now()
    say(progress(world, killer))
  }
  await load.end()
  const { requests, answered, unknown, unsent } = world.record
  const lost = world.record.unheard("refresh")
  const checked = await countLost(world)
  const trail = await checkTrail(world)
  await verify(fleet)
  const figures = {
    kills: killer.kills,
    "of them at a start": killer.atStart,
    "of them in a storm of refreshes": killer.inStorm,
    ...(engine === "postgres" && { "of them several nodes at once": killer.several }),
    requests,
    "acknowledged answers": answered,
    "unknown answers": unknown,
    "connections refused": unsent,
    ...(engine === "postgres" && { "answered 503 with Retry-After": world.busy.length }),
    "lost refreshes asked again": lost,
    "of them after their minute": world.late,
    "credentials checked at the end": world.held.size,
    "ended credentials checked at the end": world.ended.length,
    "apps checked at the end": world.registered.length,
    "checked at the end": checked.checked,
    "answers lost": checked.lost.length,
    "codes used twice": trail.usedTwice,
    "verified, times": verified + 1,
    "slowest first answer after a start, ms": Math.round(killer.slowestStart),
    "slowest answer of the database itself, ms": fleet.probe.slowest,
    ...figuresOf(reasonsOf(world)),
  }
  const problems = [...checked.lost, ...trail.problems]
  if (world.late > 1 + lost * LATE_PART)
    problems.push(`${world.late} repeats of lost refreshes came after their minute: this machine is too slow`)
  if (problems.length > 0) throw new Error(`${problems.join("\n")}\n${JSON.stringify(figures)}`)
  return figures
}

/** Rejects with the problems that the command finds. */
async function verify({ dir }: Fleet): Promise<void> {
  const found = await done<unknown[]>(dir, ["verify"])
  if (found.length > 0) throw new Error(`verify finds ${JSON.stringify(found)}`)
}

function progress({ record }: World, { kills, slowestStart }: Killer): string {
  const starts = `slowest first answer ${Math.round(slowestStart)} ms`
  return `${kills} kills, ${record.answered} answers, ${record.unknown} unknown, ${starts}`
}
