/** Names, tags and states on console pages. */
import type { RegisteredBy } from "../../../model/clients/client.rules.ts"
import { type Html, html } from "../../../kernel/html.ts"
import { shownName } from "../shown-text.ts"
import { fact } from "../parts.ts"

export type AccountRef = { readonly userId: string; readonly username: string | null }
type AppRef = { readonly clientId: string; readonly name: string | null }

/** Renders a link to the account. A removed account has the name null and gets no link, only its id. */
export function accountLink(basePath: string, { userId, username }: AccountRef): Html {
  return linkOrId(`${basePath}/console/account?id=${encodeURIComponent(userId)}`, userId, username)
}

/** Renders a link to the app. A removed app has the name null and gets no link, only its id. */
export function appLink(basePath: string, { clientId, name }: AppRef): Html {
  return linkOrId(`${basePath}/console/app?id=${encodeURIComponent(clientId)}`, clientId, name)
}

/** Renders a link to each group. */
export function groupLinks(basePath: string, names: readonly string[]): Html {
  const link = (name: string) =>
    html`<a href="${basePath}/console/group?name=${encodeURIComponent(name)}"
      ><bdi class="group">${name}</bdi></a
    >`
  return html`${names.map((name, at) => html`${at > 0 && ", "}${link(name)}`)}`
}

function linkOrId(address: string, id: string, name: string | null): Html {
  return name === null
    ? html`<code class="id">${id}</code> <span class="note">removed</span>`
    : html`<a href="${address}"><bdi>${shownName(name, "without a name")}</bdi></a>`
}

export function tag(text: string, look: "plain" | "good" | "serious" | "wrong" = "plain"): Html {
  return html`<span class="mark-${look} state">${text}</span>`
}

export const registrars: { readonly [K in RegisteredBy]: string } = {
  administrator: "An administrator",
  user: "A user",
  itself: "Itself",
  document: "Its document",
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

/** Made with its first use. A start loads this file, and the first format of a process takes 10 ms. */
let numberFormat: Intl.NumberFormat | undefined

/** Formats a number as `1,000,000`. */
export function count(number: number): string {
  numberFormat ??= new Intl.NumberFormat("en")
  return numberFormat.format(number)
}

export function counted(number: number, unit: string, units = `${unit}s`): string {
  return `${count(number)} ${number === 1 ? unit : units}`
}

/** Formats `refresh-token-reused` as `Refresh token reused`. */
export function kindInWords(kind: string): string {
  const words = kind.replaceAll("-", " ")
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Renders a list with one fact on each line. Facts without a value are left out. */
export function factList(facts: readonly (readonly [string, Html | string | number | false | null])[]): Html {
  return html`<dl class="sheet-list">
    ${facts.map(([term, value]) => value !== null && value !== false && fact(term, value))}
  </dl>`
}
