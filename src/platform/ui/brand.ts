/** The look of the service on a page: its color, the brand at the top, and the operator's links at the foot. */
import { type Html, html } from "../../kernel/html.ts"
import type { Appearance } from "../../model/appearance.rules.ts"
import type { Texts } from "../languages/texts.ts"
import { paletteOf, plots, type Scheme } from "./brand/color.rules.ts"
import { mark } from "./mark.ts"
import { sourceOf } from "./style/style.ts"

type Footed = Branded & { readonly texts: Texts; readonly self: string | null }

type Branded = { readonly basePath: string; readonly look: Appearance }

/**
 * Returns the logo, or the mark and the name. A logo that is alone has a plate on pages of the other color scheme,
 * where it could vanish. With `only`, the page has one color scheme whatever the browser prefers.
 */
export function brand(
  { basePath, look: { name, logo, logoDark } }: Branded,
  only: Scheme | null = null,
): Html {
  const address = (path: string, digest: string | null) =>
    digest === null ? null : `${basePath}/appearance/${path}?v=${digest}`
  const [light, dark] = [address("logo", logo), address("logo-dark", logoDark)]
  const shown = (only === "dark" ? dark : null) ?? light ?? dark
  if (shown === null) return html`${mark}<span>${name}</span>`
  const isBoth = light !== null && dark !== null
  const plate = isBoth ? "" : light !== null ? " plate-if-dark" : " plate-if-light"
  return html`<picture
    >${isBoth && only === null && html`<source media="(prefers-color-scheme: dark)" srcset="${dark}" />`}<img
      class="logo${plate}"
      src="${shown}"
      alt="${name}"
  /></picture>`
}

/** Returns the foot of a page. `product` is the name that only the console shows. */
export function footOf(
  { basePath, look: { support, terms, privacy }, texts, self }: Footed,
  product: string | null = null,
): Html | false {
  const links = [
    [support, "foot.support"],
    [terms, "foot.terms"],
    [privacy, "foot.privacy"],
  ] as const
  const items: Html[] = []
  for (const [to, key] of links) if (to !== null) items.push(html`<a href="${to}">${texts.html(key)}</a>`)
  if (self !== null) {
    const { tag, name } = texts.language
    items.push(
      html`<a href="${basePath}/language?next=${encodeURIComponent(self)}" lang="${tag}">${name}</a>`,
    )
  }
  if (product !== null) items.push(html`<span>${product}</span>`)
  if (items.length === 0) return false
  return html`<footer class="foot">
    <ul>
      ${items.map((item) => html`<li>${item}</li>`)}
    </ul>
  </footer>`
}

type BrandSheet = {
  readonly color: string
  readonly css: string
  /** Its hash in the content security policy. */
  readonly source: string
}

/** The sheet of the last color. A service has one color, and each change makes the sheet once. */
let last: BrandSheet | null = null

/** Returns the small style sheet of pages that have the operator's color. It holds derived colors only. BRAND-2. */
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
