/** Formats durations and dates as words. */
import { countOf } from "../../kernel/words.ts"
import { DAY, HOUR, MINUTE, YEAR } from "../../kernel/time.ts"

/** Formats a waiting time. The time is rounded up, so that the next attempt does not come too early. */
export function waitInWords(seconds: number): string {
  if (seconds > 2 * HOUR) return countOf(Math.ceil(seconds / HOUR), "hour")
  return countOf(Math.max(1, Math.ceil(seconds / MINUTE)), "minute")
}

/** In its largest unit, rounded down, so that the page promises no more than the actual time. */
export function lifetimeInWords(seconds: number): string {
  if (seconds >= YEAR) return seconds < 2 * YEAR ? "a year" : countOf(Math.floor(seconds / YEAR), "year")
  if (seconds >= DAY) return countOf(Math.floor(seconds / DAY), "day")
  if (seconds >= HOUR) return countOf(Math.floor(seconds / HOUR), "hour")
  return countOf(Math.max(1, Math.floor(seconds / MINUTE)), "minute")
}

export function agoInWords(seconds: number): string {
  if (seconds < MINUTE) return "less than a minute ago"
  if (seconds < 2 * HOUR) return `${countOf(Math.floor(seconds / MINUTE), "minute")} ago`
  return seconds < 2 * DAY
    ? `${countOf(Math.floor(seconds / HOUR), "hour")} ago`
    : `${countOf(Math.floor(seconds / DAY), "day")} ago`
}

// Creating three `Intl` formats takes longer than loading all other page code, so the names are listed here.
const MONTHS = "January February March April May June July August September October November December".split(
  " ",
)

/** Formats the time of day in UTC, such as `14:05`. */
export function timeOfDay(at: number): string {
  return isoOf(at).slice(11, 16)
}

/** Formats a time, such as `12 March 2026, 14:05:09 UTC`. */
export function instantInWords(at: number): string {
  return `${day(at).text}, ${isoOf(at).slice(11, 19)} UTC`
}

/** Returns the day of a time. `iso` is for machines (2026-03-12), and `text` is for people (12 March 2026). */
export function day(at: number): { readonly iso: string; readonly text: string } {
  const iso = isoOf(at).slice(0, 10)
  const [year = "", month = "", date = ""] = iso.split("-")
  return { iso, text: `${Number(date)} ${MONTHS[Number(month) - 1]} ${year}` }
}

function isoOf(at: number): string {
  return new Date(at * 1000).toISOString()
}
