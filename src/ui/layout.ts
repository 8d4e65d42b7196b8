/** The frame of every page: the brand and one card. Only pages with passkeys run a script. */
import { type Html, html } from "../kernel/html.ts"
import { mark, PRODUCT } from "./mark.ts"
import { style } from "./style/style.ts"

export type PageInput = {
  /** The path of the base URL without a trailing slash, usually "". It begins every path of the page. */
  readonly basePath: string
}

type Frame = {
  /** Null for a page that no service serves (`latchkey login`): it has no icon. */
  readonly basePath: string | null
  readonly title: string
  readonly main: Html
  /** Replaces the brand at the top. */
  readonly top?: Html
  /** A card for reading, wider than one for a form. */
  readonly wide?: boolean
  /** Protects its buttons against stray clicks: CONSENT-3. */
  readonly decides?: boolean
  /** The class of `main`, if it is not one of the two cards. */
  readonly look?: string
  /** Replaces the default style sheet. */
  readonly sheet?: string | undefined
  /** The path below the base path of the one script that a page may run. */
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
