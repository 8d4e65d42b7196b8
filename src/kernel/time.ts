/**
 * Instants (`…At`) are integer seconds since 1970, rounded down. Durations (`…Seconds`) are integer seconds.
 *
 * A lifetime is never shorter than stated (TOKEN-9). Fractions of a second are not stored, so a lifetime includes the
 * whole second `at + seconds`.
 */

export type Seconds = number

export const MINUTE: Seconds = 60
export const HOUR: Seconds = 60 * MINUTE
export const DAY: Seconds = 24 * HOUR
/** A year is always 365 days. */
export const YEAR: Seconds = 365 * DAY

/** The end of a credential that does not expire: the last second of the year 9999. */
export const NEVER: Seconds = 253_402_300_799

/** Returns 00:00 UTC of the day of `at`. */
export function startOfDay(at: Seconds): Seconds {
  return at - (at % DAY)
}

/** The clocks of nodes on one database may differ by this much. Nodes read times that other nodes stored. */
export const CLOCKS_APART_SECONDS: Seconds = 5

/** Whether `at` is further in the future than clock differences allow. This means that the clock was set back. */
export function isFarAhead(at: Seconds, now: Seconds): boolean {
  return at > now + CLOCKS_APART_SECONDS
}

/** Whether a lifetime has ended. `endsAt` is its last second. */
export function isPast(endsAt: Seconds, now: Seconds): boolean {
  return now > endsAt
}

/** Whether a lifetime of `seconds` from `at` has not ended. A start far in the future counts as ended. */
export function isWithin(at: Seconds, now: Seconds, seconds: Seconds): boolean {
  return !isFarAhead(at, now) && !isPast(at + seconds, now)
}

/** Lifetimes last at most a day. The second day allows for small clock corrections. */
const TOO_LONG_SECONDS: Seconds = 2 * DAY

/**
 * Whether a code, an access token or an elevation is alive. Its lifetime is at most a day. If it would end in more than
 * two days, the clock was set back, and it counts as ended.
 */
export function isAlive(endsAt: Seconds, now: Seconds): boolean {
  return !isPast(endsAt, now) && !isFarAhead(endsAt - TOO_LONG_SECONDS, now)
}
