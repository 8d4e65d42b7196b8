/** Texts of axes, legends and tables. Times are in UTC. */
import { DAY } from "../../../kernel/time.ts"
import type { TimeRange } from "./scale.ts"

const clock = new Intl.DateTimeFormat("en-GB", {
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
  timeZone: "UTC",
})
const calendar = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" })
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 })
const full = new Intl.NumberFormat("en")

/** Formats a time. Points shorter than a day are formatted like `14:05`, and longer points like `21 Nov`. */
export function timeText(at: number, step: number): string {
  return (step >= DAY ? calendar : clock).format(new Date(at * 1000))
}

/** Formats a number for an axis, such as `1.2K`. */
export function shortNumber(number: number): string {
  return short.format(number)
}

export function fullNumber(number: number): string {
  return full.format(number)
}

/** Describes a plot of counts in one sentence: its total and its highest point. */
export function countsInWords(stacked: readonly number[], { from, step, points }: TimeRange): string {
  const all = stacked.reduce((sum, count) => sum + count, 0)
  const most = Math.max(0, ...stacked)
  const range = `From ${timeText(from, step)} to ${timeText(from + step * points, step)} UTC`
  if (all === 0) return `${range}: nothing.`
  const peak = timeText(from + stacked.indexOf(most) * step, step)
  return `${range}: ${fullNumber(all)} in all, most at ${peak} with ${fullNumber(most)}.`
}

/** Describes a plot of a level in one sentence: its first and its last value. */
export function levelInWords(values: readonly (number | null)[], { from, step }: TimeRange): string {
  const seen = values.flatMap((value, at) => (value === null ? [] : [{ at, value }]))
  const [first, last] = [seen[0], seen.at(-1)]
  if (first === undefined || last === undefined) return "Not counted yet."
  const format = ({ at, value }: typeof first) =>
    `${fullNumber(value)} at ${timeText(from + at * step, step)} UTC`
  return first === last ? `${format(first)}.` : `From ${format(first)} to ${format(last)}.`
}
