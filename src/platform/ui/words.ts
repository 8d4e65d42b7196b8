/** Formats durations and dates as words. */
import type { Texts } from "../languages/texts.ts"
import { MINUTE } from "../../kernel/time.ts"

/** Formats how long ago something was, such as `3 hours ago`. */
export function agoInWords(texts: Texts, seconds: number): string {
  return seconds < MINUTE ? texts.plain("time.just-now") : texts.formats.ago(seconds)
}

// Creating three `Intl` formats takes longer than loading all other page code, so the names are listed here.
const MONTHS = "January February March April May June July August September October November December".split(
  " ",
)

/** Formats a time for the test mail, such as `12 March 2026, 14:05:09 UTC`. */
export function instantInWords(at: number): string {
  const [year = "", month = "", date = ""] = isoDay(at).split("-")
  return `${Number(date)} ${MONTHS[Number(month) - 1]} ${year}, ${isoOf(at).slice(11, 19)} UTC`
}

/** Returns the day of a time for machines, such as `2026-03-12`. */
export function isoDay(at: number): string {
  return isoOf(at).slice(0, 10)
}

function isoOf(at: number): string {
  return new Date(at * 1000).toISOString()
}
