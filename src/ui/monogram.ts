/** The tile that stands for an app: its stored icon where the service vouches for it, else a monogram. */
import { type Html, html } from "../kernel/html.ts"
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

/** What can stand on a tile: a letter, a digit or a pictogram. */
const drawable = /[\p{L}\p{Nd}\p{Extended_Pictographic}\p{Regional_Indicator}]/u

/** Scripts whose letters stand alone beside each other. Others join theirs, or fill a tile with one. */
const initials = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}]/u

/** Within a word, as in "Bob's": it parts nothing. */
const apostrophe = /(?<=\p{L})['\u2019\u02bc\uff07](?=\p{L})/gu

/**
 * The letters of a name: the first one, with that of the next word beside it where its script has initials; or its
 * first digit or pictogram. "" where the name has none.
 */
export function monogramLetters(name: string): string {
  const firsts = shownName(name, "")
    .replaceAll(apostrophe, "")
    .split(/[\s\p{P}]+/u)
    .flatMap((word) => graphemes(word).find((grapheme) => drawable.test(grapheme)) ?? [])
  const [first = "", second = ""] = firsts.map(capital)
  return initials.test(first) && initials.test(second) ? first + second : first
}

/** The capital, where it is one as well. */
function capital(letter: string): string {
  const upper = letter.toUpperCase()
  return graphemes(upper).length === 1 ? upper : letter
}

/** The height of a capital and of a digit, as a part of the size of their type: they are centred, not their line. */
const CAPITAL = 0.72

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
  const letters = monogramLetters(name)
  return html`<svg class="tile" viewBox="0 0 64 64" width="64" height="64" aria-hidden="true">
    <rect width="64" height="64" fill="${monogramColour(clientId)}" />
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

/** An address that leaves this origin is not drawn: the monogram stands in. */
const ownPath = /^\/(?![/\\])/

/**
 * The icon is laid over the monogram. It has no size of its own: one that does not load, with an empty `alt`, takes no room
 * then, and leaves the monogram (ICON-3). Out of sight nothing is asked for: a long list costs the budget that icons share
 * no more than what is looked at.
 */
export function appTile(basePath: string, { clientId, name, verified, iconUrl }: AppView): Html {
  if (!verified || iconUrl === null || !ownPath.test(iconUrl)) return monogram(clientId, name)
  return html`<span class="tile layered"
    >${monogram(clientId, name)}<span><img src="${basePath}${iconUrl}" alt="" loading="lazy" /></span
  ></span>`
}
