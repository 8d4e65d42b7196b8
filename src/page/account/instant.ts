/** Instants on the pages of an account, in words and for machines. */
import { DAY } from "../../core/time.ts"
import { type Html, html } from "../html.ts"
import { agoInWords, day, timeOfDay } from "../words.ts"

/** `12 March 2026` */
export function dayOf(at: number): Html {
  const { iso, text } = day(at)
  return html`<time datetime="${iso}">${text}</time>`
}

/** `14:05` within its day, in UTC. */
export function timeOf(at: number): Html {
  return html`<time datetime="${new Date(at * 1000).toISOString()}">${timeOfDay(at)}</time>`
}

/** `3 hours ago`; the day where that is a month past. */
export function ago(at: number, now: number): Html {
  if (now - at >= 30 * DAY) return html`on ${dayOf(at)}`
  return html`<time datetime="${new Date(at * 1000).toISOString()}"
    >${agoInWords(Math.max(0, now - at))}</time
  >`
}
