/** Instants are integer seconds since 1970 (`…At`); durations are integer seconds (`…Seconds`). */

export type Seconds = number

export const MINUTE: Seconds = 60
export const HOUR: Seconds = 60 * MINUTE
export const DAY: Seconds = 24 * HOUR
/** A year is counted as 365 days, whatever the calendar says. */
export const YEAR: Seconds = 365 * DAY
