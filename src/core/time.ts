/** Instants are integer seconds since 1970 (`…At`); durations are integer seconds (`…Seconds`). */

export type Seconds = number

export const MINUTE: Seconds = 60
export const HOUR: Seconds = 60 * MINUTE
export const DAY: Seconds = 24 * HOUR
/** A year is counted as 365 days, whatever the calendar says. */
export const YEAR: Seconds = 365 * DAY

/** The clocks of nodes on one database may differ by this much: what one of them stores is read by another. */
export const CLOCKS_APART_SECONDS: Seconds = 5

/** Whether an instant lies ahead farther than another node's clock could: this one's was set back since. */
export function isFarAhead(at: Seconds, now: Seconds): boolean {
  return at > now + CLOCKS_APART_SECONDS
}

/** Whether an instant is less than `seconds` ago. What seems to lie far ahead is not. */
export function isWithin(at: Seconds, now: Seconds, seconds: Seconds): boolean {
  return !isFarAhead(at, now) && now - at < seconds
}

/** What lives for a day at the most seems to have more only where a clock was set back. A day is left for small corrections. */
const TOO_LONG_SECONDS: Seconds = 2 * DAY

/**
 * Whether what lives for a day at the most (a code, an access token, an elevation) is alive. One that has more than two to
 * live was made before the clock was set back: it is over, lest it live for as long as the clock was ahead.
 */
export function isAlive(endsAt: Seconds, now: Seconds): boolean {
  return now < endsAt && !isFarAhead(endsAt - TOO_LONG_SECONDS, now)
}
