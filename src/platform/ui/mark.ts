/** The product's mark, a key in the shape of an L, and the small icons. */
import { type Html, html } from "../../kernel/html.ts"
import { paletteOf } from "./brand/color.rules.ts"

const key = html`<circle
    cx="9.5"
    cy="7.5"
    r="4.25"
    fill="none"
    stroke="currentColor"
    stroke-width="2.5"
  /><path
    d="M9.5 11.75V20.75H16.5M9.5 16.25H13.5"
    fill="none"
    stroke="currentColor"
    stroke-width="2.5"
    stroke-linecap="round"
    stroke-linejoin="round"
  />`

export const mark: Html = html`<svg
  class="mark"
  viewBox="0 0 24 24"
  width="24"
  height="24"
  aria-hidden="true"
>
  ${key}
</svg>`

/** The tile of the last color. Every stranger may ask for it, and its colors take longer than the request. */
let last: { readonly color: string | null; readonly svg: string } | null = null

/** Returns the mark on a tile of the operator's color, or of the product's own. */
export function faviconSvg(color: string | null): string {
  if (last?.color !== color) last = { color, svg: drawnFavicon(color) }
  return last.svg
}

function drawnFavicon(color: string | null): string {
  const { accent, onAccent } = paletteOf(color ?? "#155e4c", "light")
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="-4 -4 32 32" color="${onAccent}">
    <rect x="-4" y="-4" width="32" height="32" rx="8" fill="${accent}" />
    ${key}
  </svg>`.toString()
}

function icon(paths: Html): Html {
  return html`<svg
    class="icon"
    viewBox="0 0 20 20"
    width="20"
    height="20"
    fill="none"
    stroke="currentColor"
    stroke-width="1.75"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    ${paths}
  </svg>`
}

export const tick = icon(html`<path d="M4.5 10.5 8.25 14.25 15.5 6.5" />`)
export const dash = icon(html`<path d="M5.5 10h9" />`)
export const shield = icon(
  html`<path d="M10 2.75 16 5v4.5c0 3.6-2.4 6.3-6 7.75-3.6-1.45-6-4.15-6-7.75V5z" />`,
)
export const caution = icon(
  html`<path d="M10 3.25 17.5 16.5h-15z" /><path d="M10 8.25v3.75" /><path d="M10 14.25v.01" />`,
)
