/**
 * Checks why the service responded with 503. Its log names the reason of every 503, and each reason must have a known
 * cause.
 */
import type { Period } from "./probe.ts"

/** A 503 that a client received or that the log contains. The time comes from `Date.now()`. */
export type Unavailable = { readonly requestId: string; readonly at: number; readonly deed: string }

/** The part of a world that this check needs. */
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
/**
 * A request that waits for the database gets its 503 within this time. The cause of the 503 may therefore have ended
 * this long before.
 */
const WAIT_MILLISECONDS = 6_000
/** A killed process loses its last log lines. */
const UNWRITTEN = "not in the log: its server was killed"

/**
 * Returns how often each reason occurred. Throws if a reason has no known cause: a kill, a start, a storm, or a busy
 * machine.
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

/** Returns the entries of a report, such as `503, …: 3`. */
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

/** Returns null for a line that a kill has cut. */
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
