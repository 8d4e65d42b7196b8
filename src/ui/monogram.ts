/** The tile of an app: its stored icon if an administrator verified the app, otherwise a monogram. */
import { type Html, html } from "../kernel/html.ts"
import { graphemes, shownName } from "./shown-text.ts"

export type AppView = {
  readonly clientId: string
  readonly name: string
  /** Decides between icon and monogram. */
  readonly verified: boolean
  /** The path of the stored icon below the base path, `/oauth/apps/<client_id>/icon`; null without an icon. */
  readonly iconUrl: string | null
}

/** White letters on each color have a contrast of at least 5.5 to 1. */
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

/** The color of an app: FNV-1a over its client id, so it is the same on every page and node. */
export function monogramColor(clientId: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < clientId.length; at++) {
    hash = Math.imul(hash ^ clientId.charCodeAt(at), 0x01000193) >>> 0
  }
  return palette[hash % palette.length] ?? palette[0]
}

/** Characters that a tile can show: letters, digits and pictograms. */
const drawable = /[\p{L}\p{Nd}\p{Extended_Pictographic}\p{Regional_Indicator}]/u

/** Scripts that write initials as separate letters. */
const initials = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}]/u

/** An apostrophe within a word, as in "Bob's", does not split it. */
const apostrophe = /(?<=\p{L})['\u2019\u02bc\uff07](?=\p{L})/gu

/**
 * The initials of the first two words where the script has initials; otherwise the first letter, digit or pictogram.
 * Empty for a name without any.
 */
export function monogramLetters(name: string): string {
  const firsts = shownName(name, "")
    .replaceAll(apostrophe, "")
    .split(/[\s\p{P}]+/u)
    .flatMap((word) => graphemes(word).find((grapheme) => drawable.test(grapheme)) ?? [])
  const [first = "", second = ""] = firsts.map(capital)
  return initials.test(first) && initials.test(second) ? first + second : first
}

/** The capital letter, unless it is more than one character. */
function capital(letter: string): string {
  const upper = letter.toUpperCase()
  return graphemes(upper).length === 1 ? upper : letter
}

/** The height of capitals and digits relative to the font size, to center them vertically. */
const CAPITAL = 0.72

/** Drawn for an app whose name has no letter. */
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
  const letters = monogramLetters(name)
  return html`<svg class="tile" viewBox="0 0 64 64" width="64" height="64" aria-hidden="true">
    <rect width="64" height="64" fill="${monogramColor(clientId)}" />
    <g fill="#fff">${letters === "" ? blank : drawn(letters)}</g>
  </svg>`
}

function drawn(letters: string): Html {
  const size = graphemes(letters).length === 2 ? 25 : 32
  const text = html`x="32" font-size="${size}" font-weight="600" text-anchor="middle"`
  return initials.test(letters) || /^\p{Nd}/u.test(letters)
    ? html`<text ${text} y="${32 + (size * CAPITAL) / 2}">${letters}</text>`
    : html`<text ${text} y="33" dominant-baseline="central">${letters}</text>`
}

/** An icon of another origin is never loaded. */
const ownPath = /^\/(?![/\\])/

/**
 * The icon covers the monogram. An icon that does not load takes no room, so the monogram shows (ICON-3). Lazy loading
 * keeps a long list from spending the rate limit of the icons that are off screen.
 */
export function appTile(basePath: string, { clientId, name, verified, iconUrl }: AppView): Html {
  if (!verified || iconUrl === null || !ownPath.test(iconUrl)) return monogram(clientId, name)
  return html`<span class="tile layered"
    >${monogram(clientId, name)}<span><img src="${basePath}${iconUrl}" alt="" loading="lazy" /></span
  ></span>`
}
