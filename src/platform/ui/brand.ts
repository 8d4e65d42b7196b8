/** The service at the top of a page, and the operator's links at its foot. */
import { type Html, html } from "../../kernel/html.ts"
import type { Appearance } from "../../model/appearance.rules.ts"
import type { Texts } from "../languages/texts.ts"
import { mark } from "./mark.ts"

type Footed = Branded & { readonly texts: Texts; readonly self: string | null }

type Branded = { readonly basePath: string; readonly look: Appearance }

/**
 * Returns the logo, or the mark and the name. A logo that is alone has a plate on pages of the other color scheme,
 * where it could vanish. With `only`, the page has one color scheme whatever the browser prefers.
 */
export function brand(
  { basePath, look: { name, logo, logoDark } }: Branded,
  only: "light" | "dark" | null = null,
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
