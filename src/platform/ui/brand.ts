/** The service at the top of a page, and the operator's links at its foot. */
import { type Html, html } from "../../kernel/html.ts"
import type { Appearance } from "../../model/appearance.rules.ts"
import type { Texts } from "../languages/texts.ts"
import { mark } from "./mark.ts"

type Footed = Branded & { readonly texts: Texts; readonly self: string | null }

type Branded = { readonly basePath: string; readonly look: Appearance }

/**
 * Returns the logo, or the mark and the name. `logoDark` alone is not shown, because it would vanish on a light
 * page. With \`only\`, the page has one color scheme whatever the browser prefers.
 */
export function brand(
  { basePath, look: { name, logo, logoDark } }: Branded,
  only: "light" | "dark" | null = null,
): Html {
  if (logo === null) return html`${mark}<span>${name}</span>`
  const path = `${basePath}/appearance/logo`
  const dark = logoDark !== null && `${path}-dark?v=${logoDark}`
  return html`<picture
    >${
      only === null &&
      dark !== false &&
      html`<source media="(prefers-color-scheme: dark)" srcset="${dark}" />`
    }<img class="logo" src="${only === "dark" && dark !== false ? dark : `${path}?v=${logo}`}" alt="${name}"
  /></picture>`
}

/** Returns the foot of a page. `product` is the name that only the console shows. */
export function footOf(
  { basePath, look: { support, terms, privacy }, texts, self }: Footed,
  product: string | null = null,
): Html | false {
  const links = [
    [support, texts.html("foot.support")],
    [terms, texts.html("foot.terms")],
    [privacy, texts.html("foot.privacy")],
  ] as const
  const items = links.flatMap(([to, label]) => (to === null ? [] : [html`<a href="${to}">${label}</a>`]))
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
