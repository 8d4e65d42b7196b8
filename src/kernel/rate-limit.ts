/**
 * A rate limit with a fixed window that counts admitted requests. Interface RATE-1…RATE-4. The window begins with its
 * first admitted request and ends `seconds` later. A refused request does not count and does not extend the window.
 * `Retry-After` of a refusal is the time until the window ends.
 */
import { type Problem, type Result, err, ok } from "./result.ts"

export type Budget = { readonly requests: number; readonly seconds: number }

export type Window = {
  /** The start in milliseconds, by the clock of the process or of the shared database. */
  readonly startedMs: number
  readonly admitted: number
}

export type Admission =
  | { readonly admitted: true; readonly window: Window }
  | { readonly admitted: false; readonly retryAfterSeconds: number }

/**
 * A request that waited for the database may find a window that began slightly after the request. If the window begins
 * later than this, the clock was set back. Such a window is replaced, because it would lock clients out.
 */
export const AHEAD_AT_MOST_MS = 10_000

/**
 * The kind of a counter is the text before the first colon of its key, such as `recover name`. Each kind has a bound of
 * its own, so that a flood of one kind evicts no window of another.
 */
export function kindOf(key: string): string {
  return key.slice(0, Math.max(0, key.indexOf(":")))
}

/** Decides on one request. Returns the window that counts the request, or the seconds until the window ends. */
export function admit(window: Window | undefined, budget: Budget, nowMs: number): Admission {
  const endsMs = window === undefined ? nowMs : window.startedMs + budget.seconds * 1000
  if (window === undefined || nowMs >= endsMs || window.startedMs > nowMs + AHEAD_AT_MOST_MS)
    return { admitted: true, window: { startedMs: nowMs, admitted: 1 } }
  if (window.admitted < budget.requests) {
    return { admitted: true, window: { ...window, admitted: window.admitted + 1 } }
  }
  return { admitted: false, retryAfterSeconds: Math.ceil((endsMs - nowMs) / 1000) }
}

const REQUESTS_AT_MOST = 1_000_000
const SECONDS_AT_MOST = 86_400

/** Parses `REQUESTS/SECONDS`. Returns null for `off`. */
export function parseBudget(text: string): Result<Budget | null, Problem> {
  if (text === "off") return ok(null)
  const [, first, second] = /^([1-9][0-9]{0,6})\/([1-9][0-9]{0,4})$/.exec(text) ?? []
  const requests = Number(first)
  const seconds = Number(second)
  return requests <= REQUESTS_AT_MOST && seconds <= SECONDS_AT_MOST
    ? ok({ requests, seconds })
    : err("Write REQUESTS/SECONDS, such as 600/60 (up to 1000000/86400), or off.")
}
