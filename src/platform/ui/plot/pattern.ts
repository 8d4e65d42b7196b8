/** The color and pattern of each series. On screen and in print, the pattern distinguishes series without color. */
import { type Html, html } from "../../../kernel/html.ts"

/** The number of patterns. All further series share the last pattern. */
export const LOOKS = 6

/** The pattern that is drawn over the color of each series. The first series has no pattern. */
const drawings: readonly Html[] = [
  html`<path class="over" d="M-2 6 6 -2M2 10 10 2" stroke-width="1.5" />`,
  html`<circle class="over-dot" cx="2" cy="2" r="1" /><circle class="over-dot" cx="6" cy="6" r="1" />`,
  html`<path class="over" d="M0 2H8M0 6H8" stroke-width="1.25" />`,
  html`<path class="over" d="M2 0V8M6 0V8" stroke-width="1.25" />`,
  html`<path class="over" d="M-2 2 6 10M2 -2 10 6" stroke-width="1.5" />`,
]

/** Every page with plots includes these definitions once, before the plots. */
export const patterns: Html = html`<svg class="unseen" width="0" height="0" aria-hidden="true">
  <defs>
    ${drawings.map(
      (drawing, at) =>
        html`<pattern id="look-${at + 2}" width="8" height="8" patternUnits="userSpaceOnUse">
          <rect class="c${at + 2}" width="8" height="8" />
          ${drawing}
        </pattern>`,
    )}
  </defs>
</svg>`

/** Returns the attributes that fill a shape with the pattern of a series. `series` counts from 0. */
export function look(series: number): Html {
  const number = Math.min(series, LOOKS - 1) + 1
  return number === 1 ? html`class="c1"` : html`fill="url(#look-${number})"`
}

/** Renders the colored square of a series in a legend. */
export function swatch(series: number): Html {
  return html`<svg width="14" height="14" aria-hidden="true">
    <rect width="14" height="14" rx="3" ${look(series)} />
  </svg>`
}
