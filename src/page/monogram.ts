/** The tile that stands for an app: its stored icon where the service vouches for it, else a monogram. */
import { type Html, html } from "./html.ts"
import { graphemes, shownName } from "./shown-text.ts"

export type AppView = {
  readonly clientId: string
  readonly name: string
  /** Whether the service vouches for the app. It decides between icon and monogram only. */
  readonly verified: boolean
  /** The path of the stored icon below the base path, `/oauth/apps/<client_id>/icon`; null where there is none. */
  readonly iconUrl: string | null
}

/** White letters on each reach a contrast of at least 5.5 to 1, in light and in dark surroundings. */
const palette = [
  "#3f5bb5",
  "#7a4a9e",
  "#a23b6c",
  "#a8452c",
  "#84590f",
  "#4b6b1f",
  "#1f6f54",
  "#15697f",
  "#4a5f78",
  "#6b5b53",
] as const

/** The same app has the same colour on every page and every machine (FNV-1a over the client id). */
export function monogramColour(clientId: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < clientId.length; at++) {
    hash = Math.imul(hash ^ clientId.charCodeAt(at), 0x01000193) >>> 0
  }
  return palette[hash % palette.length] ?? palette[0]
}

/** The first letter, digit or pictogram of the name, one grapheme; "" where the name has none. */
export function monogramLetter(name: string): string {
  const first = graphemes(shownName(name, "")).find((grapheme) =>
    /[\p{L}\p{N}\p{Extended_Pictographic}\p{Regional_Indicator}]/u.test(grapheme),
  )
  if (first === undefined) return ""
  const upper = first.toUpperCase()
  return graphemes(upper).length === 1 ? upper : first
}

/** Stands in for the letter of an app whose name has none. */
const blank = html`<rect x="19" y="19" width="11" height="11" rx="3" /><rect
    x="34"
    y="19"
    width="11"
    height="11"
    rx="5.5"
  /><rect x="19" y="34" width="11" height="11" rx="5.5" /><rect
    x="34"
    y="34"
    width="11"
    height="11"
    rx="3"
  />`

export function monogram(clientId: string, name: string): Html {
  const letter = monogramLetter(name)
  const drawn =
    letter === ""
      ? html`<g fill="#fff">${blank}</g>`
      : html`<text
          x="32"
          y="33"
          font-size="30"
          font-weight="600"
          fill="#fff"
          text-anchor="middle"
          dominant-baseline="central"
          >${letter}</text
        >`
  return html`<svg class="tile" viewBox="0 0 64 64" width="64" height="64" aria-hidden="true">
    <rect width="64" height="64" fill="${monogramColour(clientId)}" />
    ${drawn}
  </svg>`
}

/** An address that leaves this origin is not drawn: the monogram stands in. */
const ownPath = /^\/(?![/\\])/

export function appTile(basePath: string, { clientId, name, verified, iconUrl }: AppView): Html {
  if (!verified || iconUrl === null || !ownPath.test(iconUrl)) return monogram(clientId, name)
  return html`<img class="tile" src="${basePath}${iconUrl}" width="64" height="64" alt="" />`
}
