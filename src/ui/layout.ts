/** The frame of every page: the brand and one card. */
import { type Html, html } from "../kernel/html.ts"
import { mark, PRODUCT } from "./mark.ts"
import { style } from "./style/style.ts"

export type PageInput = {
  /** The path of the base URL without a trailing slash, usually "". Every path on the page begins with it. */
  readonly basePath: string
}

type Frame = {
  /** Null for the page of `latchkey login`, which no service serves. That page has no icon. */
  readonly basePath: string | null
  readonly title: string
  readonly main: Html
  /** Replaces the brand at the top. */
  readonly top?: Html
  /** Uses the card for reading, which is wider than the card for forms. */
  readonly wide?: boolean
  /** Protects the buttons against accidental clicks: CONSENT-3. */
  readonly decides?: boolean
  /** A class for `main`, instead of one of the two cards. */
  readonly look?: string
  /** Replaces the default style sheet. */
  readonly sheet?: string | undefined
  /** The path of the page's script below the base path. */
  readonly script?: string | undefined
}

export function renderDocument(frame: Frame): string {
  const { basePath, title, main, wide = false, sheet = style, script } = frame
  const look = frame.look ?? `card${wide ? " wide" : ""}${frame.decides === true ? " decides" : ""}`
  const head = html`<meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex" />
    <meta name="color-scheme" content="light dark" />
    <title>${title} · ${PRODUCT}</title>
    ${basePath !== null && html`<link rel="icon" type="image/svg+xml" href="${basePath}/favicon.svg" />`}
    ${script !== undefined && html`<script src="${basePath ?? ""}${script}" defer></script>`}`
  const body = html`${frame.top ?? html`<header class="brand">${mark}<span>${PRODUCT}</span></header>`}
    <main class="${look}">${main}</main>`
  return `<!doctype html>
<html lang="en">
<head>
${head.toString()}
<style>${sheet}</style>
</head>
<body>
${body.toString()}
</body>
</html>
`
}
