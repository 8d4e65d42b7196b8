/** Names, tags and states on console pages. */
import type { RegisteredBy } from "../../records/client.rules.ts"
import { type Html, html } from "../../kernel/html.ts"
import { shownName } from "../shown-text.ts"

export type AccountRef = { readonly userId: string; readonly username: string }
export type AppRef = { readonly clientId: string; readonly name: string }

export function accountLink(basePath: string, { userId, username }: AccountRef): Html {
  return html`<a href="${basePath}/console/account?id=${userId}"
    ><bdi>${shownName(username, "without a name")}</bdi></a
  >`
}

export function appLink(basePath: string, { clientId, name }: AppRef): Html {
  return html`<a href="${basePath}/console/app?id=${clientId}"
    ><bdi>${shownName(name, "without a name")}</bdi></a
  >`
}

/** A removed object has an id but no name. */
export function idOnly(id: string): Html {
  return html`<code class="id">${id}</code> <span class="note">removed</span>`
}

export function tag(text: string, look: "plain" | "good" | "serious" | "wrong" = "plain"): Html {
  return html`<span class="mark-${look} state">${text}</span>`
}

export const registrars: { readonly [K in RegisteredBy]: string } = {
  administrator: "An administrator",
  user: "A user",
  itself: "Itself",
}

const states: ReadonlyMap<string, readonly [string, "good" | "plain" | "wrong"]> = new Map([
  ["issued", ["Code issued", "plain"]],
  ["active", ["Active", "good"]],
  ["revoked", ["Revoked", "wrong"]],
  ["ended", ["Ended", "plain"]],
])

export function stateTag(state: string): Html {
  const [text, look] = states.get(state) ?? [state, "plain"]
  return tag(text, look)
}

const numberFormat = new Intl.NumberFormat("en")

/** 1,000,000 */
export function count(number: number): string {
  return numberFormat.format(number)
}

export function counted(number: number, unit: string, units = `${unit}s`): string {
  return `${count(number)} ${number === 1 ? unit : units}`
}

/** `refresh-token-reused` as `Refresh token reused`. */
export function kindInWords(kind: string): string {
  const words = kind.replaceAll("-", " ")
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** One fact a line. Facts without a value are left out. */
export function factList(facts: readonly (readonly [string, Html | string | number | false | null])[]): Html {
  return html`<dl class="sheet-list">
    ${facts.map(
      ([term, value]) =>
        value !== null &&
        value !== false &&
        html`<div>
          <dt>${term}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`
}
