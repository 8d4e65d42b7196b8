/** Formats times on console pages, in UTC. The attribute `datetime` includes the seconds. */
import { type Html, html } from "../../../kernel/html.ts"

const parts = {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
  timeZone: "UTC",
} as const

const minuteFormat = new Intl.DateTimeFormat("en-GB", parts)

/** Formats a time, such as `21 Nov 2026, 18:22`. */
function minuteText(at: number): string {
  return minuteFormat.format(new Date(at * 1000))
}

/** Formats a time for a sentence, such as `21 Nov 2026, 18:22 UTC`. */
export function instantText(at: number): string {
  return `${minuteText(at)} UTC`
}

const secondFormat = new Intl.DateTimeFormat("en-GB", { ...parts, second: "2-digit" })

/** Formats a time with seconds, such as `21 Nov 2026, 18:22:05 UTC`. Use it for times that are close together. */
export function secondText(at: number): string {
  return `${secondFormat.format(new Date(at * 1000))} UTC`
}

export function moment(at: number): Html {
  return timeElement(at, instantText(at))
}

/** Renders a time with its seconds, for events, which are compared with the log. */
export function exactMoment(at: number): Html {
  return timeElement(at, secondText(at))
}

function timeElement(at: number, text: string): Html {
  return html`<time datetime="${new Date(at * 1000).toISOString()}">${text}</time>`
}
