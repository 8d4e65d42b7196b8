/** The frame of every page. It consists of the brand and one card. */
import { type Html, html } from "../../kernel/html.ts"
import { type Appearance, defaultAppearance } from "../../model/appearance.rules.ts"
import type { Texts } from "../languages/texts.ts"
import { brand, brandSheet, footOf } from "./brand.ts"
import { mark } from "./mark.ts"
import { pageText, style } from "./style/style.ts"

export type PageInput = {
  /** The path of the base URL without a trailing slash, usually empty. Every path on the page begins with it. */
  readonly basePath: string
  readonly look: Appearance
  readonly texts: Texts
  /** The path and query of the page itself, for the link to the choice of a language. Null if it has no link. */
  readonly self: string | null
}

type Frame = {
  readonly title: string
  readonly main: Html
  /** This part replaces the brand at the top. */
  readonly top?: Html
  /** Whether the card is wide enough for reading. The usual card is as narrow as a form. */
  readonly wide?: boolean
  /** Whether the page protects its buttons against accidental clicks: CONSENT-3. */
  readonly decides?: boolean
  /** A class for `main`. It replaces both cards. */
  readonly look?: string
  /** The name of the product, for the foot of the page. */
  readonly product?: string | undefined
  /** This style sheet replaces the default style sheet. */
  readonly sheet?: string | undefined
  readonly script?: string | undefined
}

/** `page` is null for the page of `latchkey login`, which is not part of a service. This page has no icon. */
export function renderDocument(page: PageInput | null, frame: Frame): string {
  const { title, main, wide = false, sheet = style, script, product } = frame
  const basePath = page?.basePath ?? null
  const { name, color } = page?.look ?? defaultAppearance
  const { tag, direction } = page?.texts.language ?? { tag: "en", direction: "ltr" }
  const look = frame.look ?? `card${wide ? " wide" : ""}${frame.decides === true ? " decides" : ""}`
  const head = html`<meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex" />
    <meta name="color-scheme" content="light dark" />
    <title>${title} · ${name}</title>
    ${basePath !== null && html`<link rel="icon" type="image/svg+xml" href="${basePath}/favicon.svg${color?.replace("#", "?color=")}" />`}
    ${script !== undefined && html`<script src="${basePath ?? ""}${script}" defer></script>`}`
  const body = html`${frame.top ?? html`<header class="brand">${page === null ? html`${mark}<span>${name}</span>` : brand(page)}</header>`}
    <main class="${look}">${main}</main>
    ${page !== null && footOf(page, product)}`
  const before = `<!doctype html>
<html lang="${tag}" dir="${direction}">
<head>
${head.toString()}
<style>`
  const after = `</style>${color === null ? "" : `\n<style>${brandSheet(color).css}</style>`}
</head>
<body>
${body.toString()}
</body>
</html>
`
  return pageText(before, sheet, after)
}
