/** The small style sheet of pages that have the operator's color. It holds derived colors only. BRAND-2. */
import { sourceOf } from "../style/style.ts"
import { paletteOf, plots, type Scheme } from "./color.rules.ts"

type BrandSheet = {
  readonly color: string
  readonly css: string
  /** Its hash in the content security policy. */
  readonly source: string
}

/** The sheet of the last color. A service has one color, and each change makes the sheet once. */
let last: BrandSheet | null = null

export function brandSheet(color: string): BrandSheet {
  if (last?.color === color) return last
  const css = `:root{${variablesOf(color, "light")}}@media (prefers-color-scheme:dark){:root{${variablesOf(color, "dark")}}}`
  return (last = { color, css, source: sourceOf(css) })
}

/** Returns the declarations that replace those of `base.css` and `console-plots.css`. */
export function variablesOf(color: string, scheme: Scheme): string {
  const { accent, accentOver, onAccent, link, plots: series } = paletteOf(color, scheme)
  const replaced = series.flatMap((one, at) => (one === plots[scheme][at] ? [] : [`--plot-${at + 1}:${one}`]))
  return [
    `--accent:${accent}`,
    `--accent-over:${accentOver}`,
    `--on-accent:${onAccent}`,
    `--link:${link}`,
    ...replaced,
  ].join(";")
}
