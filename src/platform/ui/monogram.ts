/** The tile of an app. It shows the icon if an administrator verified the app, and otherwise a monogram. */
import { type Html, html } from "../../kernel/html.ts"
import { ownPath } from "./own-path.ts"
import { graphemes, shownName } from "./shown-text.ts"

export type AppView = {
  readonly clientId: string
  readonly name: string
  readonly verified: boolean
  /** The path of the icon below the base path, `/oauth/apps/<client_id>/icon`. The value is null without an icon. */
  readonly iconUrl: string | null
}

/** White letters have a contrast of at least 5.5 to 1 on each of these colors. */
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

/** Depends only on an FNV-1a hash of the client_id, so every page and every node shows the same color. */
export function monogramColor(clientId: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < clientId.length; at++) {
    hash = Math.imul(hash ^ clientId.charCodeAt(at), 0x01000193) >>> 0
  }
  return palette[hash % palette.length] ?? palette[0]
}

/** A tile can show these characters: letters, digits and pictograms. */
const drawable = /[\p{L}\p{Nd}\p{Extended_Pictographic}\p{Regional_Indicator}]/u

/** The scripts in which initials are separate letters. */
const initials = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}]/u

/** Matches an apostrophe within a word, as in "Bob's". Such a word is not split. */
const apostrophe = /(?<=\p{L})['\u2019\u02bc\uff07](?=\p{L})/gu

/** The initials of two words if the script has them, else the first letter, digit or pictogram, or an empty text. */
export function monogramLetters(name: string): string {
  const firsts = shownName(name, "")
    .replaceAll(apostrophe, "")
    .split(/[\s\p{P}]+/u)
    .flatMap((word) => graphemes(word).find((grapheme) => drawable.test(grapheme)) ?? [])
  const [first = "", second = ""] = firsts.map(capital)
  return initials.test(first) && initials.test(second) ? first + second : first
}

/** Returns the capital letter. If the capital consists of several characters, returns the letter itself. */
function capital(letter: string): string {
  const upper = letter.toUpperCase()
  return graphemes(upper).length === 1 ? upper : letter
}

/** The height of capitals and digits relative to the font size. It is used to center them. */
const CAPITAL = 0.72

/** The drawing on the tile of an app whose name has no letter. */
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

/**
 * Renders the tile. The icon covers the monogram. An icon that fails to load takes no space, so the monogram is visible
 * (ICON-3). Icons load lazily, because hidden icons of a long list would use up the rate limit. Pages never load icons
 * from other origins.
 */
export function appTile(basePath: string, { clientId, name, verified, iconUrl }: AppView): Html {
  const icon = verified ? ownPath(iconUrl) : null
  if (icon === null) return monogram(clientId, name)
  return html`<span class="tile layered"
    >${monogram(clientId, name)}<span><img src="${basePath}${icon}" alt="" loading="lazy" /></span
  ></span>`
}
