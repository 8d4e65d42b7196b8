/** Instants on account pages, as text and as `datetime`. */
import { DAY } from "../kernel/time.ts"
import { type Html, html } from "../kernel/html.ts"
import { agoInWords, day, instantInWords, timeOfDay } from "./words.ts"

/** `12 March 2026`: a day without a time. */
export function wholeDay(at: number): Html {
  const { iso, text } = day(at)
  return html`<time datetime="${iso}">${text}</time>`
}

/** `12 March 2026`, with the exact instant as a tooltip. */
export function dayOf(at: number): Html {
  return instant(at, day(at).text)
}

/** `12 March 2026, 14:05` */
export function minuteOf(at: number): Html {
  return instant(at, `${day(at).text}, ${timeOfDay(at)}`)
}

/** The same to the second, in UTC, to compare with a log. */
export function secondOf(at: number): Html {
  return instant(at, `${day(at).text}, ${new Date(at * 1000).toISOString().slice(11, 19)} UTC`)
}

function instant(at: number, text: string): Html {
  const iso = new Date(at * 1000).toISOString()
  return html`<time datetime="${iso}" title="${instantInWords(at)}">${text}</time>`
}

/** `14:05` within its day, in UTC. */
export function timeOf(at: number): Html {
  return instant(at, timeOfDay(at))
}

/** `3 hours ago`; the day after a month. */
export function ago(at: number, now: number): Html {
  if (now - at >= 30 * DAY) return html`on ${dayOf(at)}`
  return instant(at, agoInWords(Math.max(0, now - at)))
}
