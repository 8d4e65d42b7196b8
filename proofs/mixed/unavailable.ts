/** Why the service said that it had to be asked again: its log names the reason of every 503, and each has to be a stated one. */
import type { Period } from "./probe.ts"

/** A 503 that a client received, or that is in the log; in milliseconds of `Date.now()`. */
export type Unavailable = { readonly requestId: string; readonly at: number; readonly deed: string }

/** A world, as far as it is looked at here. */
export type ObservedWorld = {
  readonly fleet: {
    readonly members: readonly { readonly logs: string }[]
    readonly probe: { readonly slow: readonly Period[] }
  }
  readonly busy: readonly Unavailable[]
  readonly disturbed: readonly Period[]
}

type Line = {
  readonly time: string
  readonly msg: string
  readonly request_id?: string
  readonly err?: { readonly message: string }
}

const SAID = "the database cannot answer"
/** A request that waits for the database gets its 503 within this time, so its cause may be over for as long. */
const WAIT_MILLISECONDS = 6_000
/** What a process logged last goes with it, when it is killed. */
const UNWRITTEN = "not in the log: its server was killed"

/**
 * How often which reason was given. Throws where one was given that nothing stated explains: no kill, start or storm, and
 * no machine that was too busy.
 */
export function reasonsOf({ fleet, busy, disturbed }: ObservedWorld): ReadonlyMap<string, number> {
  const logged = loggedBy(fleet)
  const unwritten = busy.filter(({ requestId }) => !logged.has(requestId))
  const counts = new Map<string, number>()
  const unexplained: string[] = []
  const look = (reason: string, at: number, periods: readonly Period[], deed: string) => {
    counts.set(reason, (counts.get(reason) ?? 0) + 1)
    if (!isWithin(at, periods)) unexplained.push(`${new Date(at).toISOString()} ${deed}: ${reason}`)
  }
  const deeds = new Map(busy.map(({ requestId, deed }) => [requestId, deed]))
  for (const [requestId, { at, reason }] of logged)
    look(reason, at, [...disturbed, ...fleet.probe.slow], deeds.get(requestId) ?? "something else")
  for (const { at, deed } of unwritten) look(UNWRITTEN, at, disturbed, deed)
  if (unexplained.length > 0)
    throw new Error(`answers of 503 that nothing explains:\n  ${unexplained.join("\n  ")}`)
  return counts
}

/** The figures of a report: `503, …: 3`. */
export function figuresOf(reasons: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...reasons].map(([reason, count]) => [`503, ${reason}`, count]))
}

type Reason = { readonly at: number; readonly reason: string }

function loggedBy({ members }: ObservedWorld["fleet"]): ReadonlyMap<string, Reason> {
  const lines = members.flatMap(({ logs }) => logs.split("\n").filter((line) => line.includes(SAID)))
  const reasons = new Map<string, Reason>()
  for (const text of lines) {
    const line = parsed(text)
    if (line?.msg !== SAID) continue
    const { time, request_id: requestId = "", err } = line
    reasons.set(requestId, { at: Date.parse(time), reason: err?.message ?? "no reason is given" })
  }
  return reasons
}

/** Null for a line that a kill has cut. */
function parsed(text: string): Line | null {
  try {
    return JSON.parse(text) as Line
  } catch {
    return null
  }
}

function isWithin(at: number, periods: readonly Period[]): boolean {
  return periods.some(({ from, to }) => at >= from && at <= to + WAIT_MILLISECONDS)
}
