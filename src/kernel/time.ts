/**
 * Instants are integer seconds since 1970 (`…At`), rounded down; durations are integer seconds (`…Seconds`).
 *
 * A lifetime is never shorter than stated (TOKEN-9): what began within the second `at` lives through the whole second
 * `at + seconds`, because the fraction of the second in which it began is not stored.
 */

export type Seconds = number

export const MINUTE: Seconds = 60
export const HOUR: Seconds = 60 * MINUTE
export const DAY: Seconds = 24 * HOUR
/** A year is counted as 365 days, whatever the calendar says. */
export const YEAR: Seconds = 365 * DAY

/** 00:00 UTC of the day of `at`. */
export function startOfDay(at: Seconds): Seconds {
  return at - (at % DAY)
}

/** The clocks of nodes on one database may differ by this much: what one of them stores is read by another. */
export const CLOCKS_APART_SECONDS: Seconds = 5

/** Whether an instant lies ahead farther than another node's clock could: this one's was set back since. */
export function isFarAhead(at: Seconds, now: Seconds): boolean {
  return at > now + CLOCKS_APART_SECONDS
}

/** Whether a lifetime is over whose last second is `endsAt`. */
export function isPast(endsAt: Seconds, now: Seconds): boolean {
  return now > endsAt
}

/** Whether a lifetime of `seconds` that began at an instant is not over. One that seems to begin far ahead counts as over. */
export function isWithin(at: Seconds, now: Seconds, seconds: Seconds): boolean {
  return !isFarAhead(at, now) && !isPast(at + seconds, now)
}

/** What lives for at most a day has more left only after a clock was set back. A day is left for small corrections. */
const TOO_LONG_SECONDS: Seconds = 2 * DAY

/**
 * Whether what lives for at most a day (a code, an access token, an elevation) is alive. One that has more than two to
 * live was made before the clock was set back: it is over, lest it live for as long as the clock was ahead.
 */
export function isAlive(endsAt: Seconds, now: Seconds): boolean {
  return !isPast(endsAt, now) && !isFarAhead(endsAt - TOO_LONG_SECONDS, now)
}
