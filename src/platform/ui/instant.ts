/** Formats times on account pages, as text and as the `datetime` attribute. */
import { DAY } from "../../kernel/time.ts"
import { type Html, html } from "../../kernel/html.ts"
import { agoInWords, day, instantInWords, timeOfDay } from "./words.ts"

/** Renders a day, such as `12 March 2026`. */
export function wholeDay(at: number): Html {
  const { iso, text } = day(at)
  return html`<time datetime="${iso}">${text}</time>`
}

/** Renders a day, such as `12 March 2026`, with the exact time as a tooltip. */
export function dayOf(at: number): Html {
  return instant(at, day(at).text)
}

/** Renders a time, such as `12 March 2026, 14:05`. */
export function minuteOf(at: number): Html {
  return instant(at, `${day(at).text}, ${timeOfDay(at)}`)
}

/** Renders a time, such as `12 March 2026, 14:05:09 UTC`, so that it can be compared with a log. */
export function secondOf(at: number): Html {
  return instant(at, `${day(at).text}, ${new Date(at * 1000).toISOString().slice(11, 19)} UTC`)
}

function instant(at: number, text: string): Html {
  const iso = new Date(at * 1000).toISOString()
  return html`<time datetime="${iso}" title="${instantInWords(at)}">${text}</time>`
}

/** Renders the time of day in UTC, such as `14:05`. */
export function timeOf(at: number): Html {
  return instant(at, timeOfDay(at))
}

/** Renders how long ago a time is, such as `3 hours ago`. Times older than 30 days are rendered as a date. */
export function ago(at: number, now: number): Html {
  if (now - at >= 30 * DAY) return html`on ${dayOf(at)}`
  return instant(at, agoInWords(Math.max(0, now - at)))
}
