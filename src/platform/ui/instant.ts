/** Formats times on account pages, as text and as the `datetime` attribute. */
import { DAY, MINUTE } from "../../kernel/time.ts"
import { type Html, html } from "../../kernel/html.ts"
import type { Texts } from "../languages/texts.ts"

/** Renders a day, such as `12 March 2026`. */
export function wholeDay({ formats }: Texts, at: number): Html {
  return html`<time datetime="${isoDay(at)}">${formats.day(at)}</time>`
}

/** Renders a day, such as `12 March 2026`, with the exact time as a tooltip. */
export function dayOf(texts: Texts, at: number): Html {
  return instant(texts, at, texts.formats.day(at))
}

/** Renders a time, such as `12 March 2026, 14:05`. */
export function minuteOf(texts: Texts, at: number): Html {
  return instant(texts, at, dayAndTime(texts, at, texts.formats.time(at)))
}

/** Renders a time, such as `12 March 2026, 14:05:09 UTC`, so that it can be compared with a log. */
export function secondOf(texts: Texts, at: number): Html {
  return instant(texts, at, exactInstant(texts, at))
}

/** Formats a time, such as `12 March 2026, 14:05:09 UTC`. */
export function exactInstant(texts: Texts, at: number): string {
  return dayAndTime(texts, at, texts.formats.exactTime(at))
}

function dayAndTime(texts: Texts, at: number, time: string): string {
  return texts.plain("time.day-and-time", { day: texts.formats.day(at), time })
}

function instant(texts: Texts, at: number, text: string): Html {
  const iso = new Date(at * 1000).toISOString()
  return html`<time datetime="${iso}" title="${exactInstant(texts, at)}">${text}</time>`
}

/** Renders the time of day in UTC, such as `14:05`. */
export function timeOf(texts: Texts, at: number): Html {
  return instant(texts, at, texts.formats.time(at))
}

/** Renders how long ago a time is, such as `3 hours ago`. Times older than 30 days are rendered as a date. */
export function ago(texts: Texts, at: number, now: number): Html {
  if (now - at >= 30 * DAY) return texts.html("time.on-day", { day: dayOf(texts, at) })
  return instant(texts, at, agoInWords(texts, Math.max(0, now - at)))
}

/** Formats how long ago something was, such as `3 hours ago`. */
export function agoInWords(texts: Texts, seconds: number): string {
  return seconds < MINUTE ? texts.plain("time.just-now") : texts.formats.ago(seconds)
}

/** Returns the day of a time for machines, such as `2026-03-12`. */
export function isoDay(at: number): string {
  return new Date(at * 1000).toISOString().slice(0, 10)
}
