/** The frame of every page: a quiet mark and one card. Nothing is fetched and nothing runs, but for passkeys. */
import { type Html, html } from "../kernel/html.ts"
import { mark, PRODUCT } from "./mark.ts"
import { style } from "./style/style.ts"

export type PageInput = {
  /** The path of the base URL without a trailing slash, usually "". Stands before every address of the page. */
  readonly basePath: string
}

type Frame = {
  /** As of every page; null where no service stands behind the page, and so no icon. */
  readonly basePath: string | null
  readonly title: string
  readonly main: Html
  /** What stands at the top in place of the quiet mark. */
  readonly top?: Html
  /** A card for reading, wider than one for a form. */
  readonly wide?: boolean
  /** Whether its forms decide something that a stray click must not: CONSENT-3. */
  readonly decides?: boolean
  /** Of `main`, where it is neither of the two cards. */
  readonly look?: string
  /** The style sheet, where it is another than that of most pages. */
  readonly sheet?: string | undefined
  /** The path below the base path of the one script that a page may run. */
  readonly script?: string | undefined
}

/** The whole document. */
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
