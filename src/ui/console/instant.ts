/** Instants on console pages, to the minute in UTC. `datetime` has the second. */
import { type Html, html } from "../../kernel/html.ts"

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

/** `21 Nov 2026, 18:22` of an instant in integer seconds. */
export function minuteText(at: number): string {
  return minuteFormat.format(new Date(at * 1000))
}

/** The same followed by UTC, for sentences. */
export function instantText(at: number): string {
  return `${minuteText(at)} UTC`
}

const secondFormat = new Intl.DateTimeFormat("en-GB", { ...parts, second: "2-digit" })

/** To the second, followed by UTC, for instants close together. */
export function secondText(at: number): string {
  return `${secondFormat.format(new Date(at * 1000))} UTC`
}

export function moment(at: number): Html {
  return html`<time datetime="${new Date(at * 1000).toISOString()}">${minuteText(at)}</time>`
}

/** To the second, to compare with a log. */
export function secondMoment(at: number): Html {
  return html`<time datetime="${new Date(at * 1000).toISOString()}">${secondText(at)}</time>`
}
