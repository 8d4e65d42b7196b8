/**
 * What a page needs of the one color of the operator: buttons, links, focus rings and plots, in light and dark. A text
 * keeps a contrast of 4.5 and a control one of 3 (WCAG 2.2, 1.4.3 and 1.4.11). A color that has less is moved in
 * lightness only. Without a hue it is moved on, to near-black or near-white, because a gray button looks disabled.
 */
import { contrastOf, hexOf, oklchOf } from "./oklch.rules.ts"

/** The backgrounds of `base.css`: page, card, sunken. */
export const backgrounds = {
  light: ["#f5f4f0", "#ffffff", "#f7f6f3"],
  dark: ["#101312", "#191d1b", "#212624"],
} as const

/** The series of `console-plots.css`. The first is the product's own color. */
export const plots = {
  light: ["#155e4c", "#b8590b", "#3570b3", "#8c3f86", "#6a6f1c", "#757d78"],
  dark: ["#7fd1b3", "#f0a35b", "#83b4ee", "#dd9ad6", "#cbd069", "#98a19b"],
} as const

export type Scheme = keyof typeof backgrounds

export type Palette = {
  /** Buttons, icons and focus rings. */
  readonly accent: string
  /** A button below the pointer. */
  readonly accentOver: string
  /** The text of a button. */
  readonly onAccent: string
  readonly link: string
  /** The six series of a plot. */
  readonly plots: readonly string[]
}

export const TEXT = 4.5
export const CONTROL = 3
/** The contrast of a button without a hue. */
const NEUTRAL = 12

/** `color` is `#RRGGBB`. `accent` and `link` equal it in lower case unless they were moved. */
export function paletteOf(color: string, scheme: Scheme): Palette {
  const isNeutral = hasNoHue(color)
  const accent = movedUntil(color, scheme, (at) => standsOut(at, scheme, isNeutral ? NEUTRAL : CONTROL))
  const onAccent =
    ["#ffffff", "#0d1110", "#000000"].find((ink) => contrastOf(ink, accent) >= TEXT) ?? "#000000"
  return {
    accent,
    accentOver: overOf(accent, onAccent, scheme),
    onAccent,
    link: isNeutral ? accent : movedUntil(color, scheme, (at) => standsOut(at, scheme, TEXT)),
    plots: plotsOf(accent, scheme),
  }
}

/** Whether people see the color as white, gray or black, such as slate and ivory. */
export function hasNoHue(color: string): boolean {
  return oklchOf(color).chroma < 0.045
}

function standsOut(color: string, scheme: Scheme, least: number): boolean {
  return backgrounds[scheme].every((background) => contrastOf(color, background) >= least)
}

/** Darkens a color for light pages and lightens it for dark ones, as little as the condition takes. */
function movedUntil(color: string, scheme: Scheme, isEnough: (hex: string) => boolean): string {
  const from = oklchOf(color)
  let moved = color.toLowerCase()
  for (let step = 1; step <= 200 && !isEnough(moved); step++) {
    const lightness = from.lightness + (scheme === "light" ? -step : step) / 200
    moved = hexOf({ ...from, lightness: clamp(lightness) })
  }
  return moved
}

/** Changes a button below the pointer as much as its text and its background allow. */
function overOf(accent: string, onAccent: string, scheme: Scheme): string {
  const from = oklchOf(accent)
  const isDarkened = onAccent === "#ffffff" ? from.lightness > 0.3 : from.lightness > 0.8
  // A very dark color takes a larger step until the difference is visible.
  const away = (isDarkened ? -1 : 1) * (from.lightness < 0.3 ? 0.15 : 0.06)
  const isClear = (over: string) => standsOut(over, scheme, CONTROL) && contrastOf(over, onAccent) >= TEXT
  const candidates = [1, -1, 0.5, -0.5, 0.2, -0.2].map((part) =>
    hexOf({ ...from, lightness: clamp(from.lightness + away * part) }),
  )
  return candidates.find((over) => over !== accent && isClear(over)) ?? accent
}

const clamp = (lightness: number) => Math.min(Math.max(lightness, 0), 1)

/** The first series has the accent. The series that is too near to it in hue gets the product's own color. */
function plotsOf(accent: string, scheme: Scheme): readonly string[] {
  const [own, ...others] = plots[scheme]
  const distances = others.map((series) => distanceOf(series, accent))
  const nearest = Math.min(...distances)
  const isReplaced = (at: number) => nearest < 0.07 && distances[at] === nearest
  return [accent, ...others.map((series, at) => (isReplaced(at) ? own : series))]
}

/** The distance in hue and chroma. The lightness does not count, because a pattern is drawn over each further series. */
function distanceOf(one: string, other: string): number {
  const [a, b] = [oklchOf(one), oklchOf(other)]
  return Math.sqrt(
    Math.max(0, a.chroma ** 2 + b.chroma ** 2 - 2 * a.chroma * b.chroma * Math.cos(a.hue - b.hue)),
  )
}
