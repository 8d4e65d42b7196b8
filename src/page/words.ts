/** Lengths of time and dates in words. */
import { DAY, HOUR, MINUTE, YEAR } from "../core/time.ts"

const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? "" : "s"}`

/** A wait, rounded up, so that whoever waits it out is never early. */
export function waitInWords(seconds: number): string {
  if (seconds > 2 * HOUR) return counted(Math.ceil(seconds / HOUR), "hour")
  return counted(Math.max(1, Math.ceil(seconds / MINUTE)), "minute")
}

/** A lifetime, rounded down to its largest unit: what is promised is not exceeded. */
export function lifetimeInWords(seconds: number): string {
  if (seconds >= YEAR) return seconds < 2 * YEAR ? "a year" : counted(Math.floor(seconds / YEAR), "year")
  if (seconds >= DAY) return counted(Math.floor(seconds / DAY), "day")
  if (seconds >= HOUR) return counted(Math.floor(seconds / HOUR), "hour")
  return counted(Math.max(1, Math.floor(seconds / MINUTE)), "minute")
}

/** How long ago something was, roughly. */
export function agoInWords(seconds: number): string {
  if (seconds < MINUTE) return "less than a minute ago"
  if (seconds < 2 * HOUR) return `${counted(Math.floor(seconds / MINUTE), "minute")} ago`
  return seconds < 2 * DAY
    ? `${counted(Math.floor(seconds / HOUR), "hour")} ago`
    : `${counted(Math.floor(seconds / DAY), "day")} ago`
}

const dayFormat = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "long",
  year: "numeric",
  timeZone: "UTC",
})

const timeFormat = new Intl.DateTimeFormat("en-GB", {
  hour: "2-digit",
  minute: "2-digit",
  timeZone: "UTC",
})

const secondFormat = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium", timeZone: "UTC" })

/** The time of an instant within its day: `14:05`, in UTC. */
export function timeOfDay(at: number): string {
  return timeFormat.format(new Date(at * 1000))
}

/** `12 March 2026, 14:05:09 UTC` */
export function instantInWords(at: number): string {
  return `${dayFormat.format(new Date(at * 1000))}, ${secondFormat.format(new Date(at * 1000))} UTC`
}

/** The day of an instant: `iso` for machines (2026-03-12), `text` for people (12 March 2026). */
export function day(at: number): { readonly iso: string; readonly text: string } {
  const date = new Date(at * 1000)
  return { iso: date.toISOString().slice(0, 10), text: dayFormat.format(date) }
}
