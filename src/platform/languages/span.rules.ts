/**
 * A span of time as the values `unit` and `count` of a text, which has a select and a plural for them. A unit inserted
 * as a word of its own would have the wrong form in most languages.
 */
import { DAY, HOUR, MINUTE, YEAR } from "../../kernel/time.ts"

export type Span = { readonly unit: "minutes" | "hours" | "days" | "years"; readonly count: number }

/** Returns a waiting time, rounded up, so that the next attempt does not come too early. */
export function waitOf(seconds: number): Span {
  if (seconds > 2 * HOUR) return { unit: "hours", count: Math.ceil(seconds / HOUR) }
  return { unit: "minutes", count: Math.max(1, Math.ceil(seconds / MINUTE)) }
}

/** Returns a lifetime in its largest unit, rounded down, so that a page promises no more than the actual time. */
export function lifetimeOf(seconds: number): Span {
  if (seconds >= YEAR) return { unit: "years", count: Math.floor(seconds / YEAR) }
  if (seconds >= DAY) return { unit: "days", count: Math.floor(seconds / DAY) }
  if (seconds >= HOUR) return { unit: "hours", count: Math.floor(seconds / HOUR) }
  return { unit: "minutes", count: Math.max(1, Math.floor(seconds / MINUTE)) }
}
