/** Renders a message as plain text and as HTML. The HTML has the colors of the pages and loads nothing. */
import { readFileSync } from "node:fs"
import { html } from "../../../kernel/html.ts"
import type { Message } from "./message.ts"

const LINE = 72

export function textOf({ heading, paragraphs, facts, action, last }: Message, operator: string): string {
  const blocks = [
    heading,
    ...paragraphs,
    facts.map(([name, value]) => `${name} ${value}`).join("\n"),
    `${action.label}:\n${action.url}`,
    last,
    `-- \n${operator}`,
  ]
  return `${blocks.map(wrapped).join("\n\n")}\n`
}

/** Wraps lines at spaces. A URL has no space, so it stays in one piece. */
function wrapped(block: string): string {
  return block
    .split("\n")
    .map((line) => line.replace(new RegExp(`(?![^\\n]{1,${LINE}}$)([^\\n]{1,${LINE}}) `, "g"), "$1\n"))
    .join("\n")
}

const style = readFileSync(new URL("mail.css", import.meta.url), "utf8").replace(/\/\*[^]*?\*\/\s*/g, "")

export function htmlOf(
  { language, heading, paragraphs, facts, action, last }: Message,
  operator: string,
): string {
  const body = html`<p class="brand">${operator}</p>
    <div class="card">
      <h1>${heading}</h1>
      ${paragraphs.map((text) => html`<p>${text}</p>`)}
      <div class="facts">
        ${facts.map(([name, value]) => html`<p><span class="soft">${name}</span> <bdi>${value}</bdi></p>`)}
      </div>
      <p><a class="button" href="${action.url}">${action.label}</a></p>
      <p class="soft url" dir="ltr">${action.url}</p>
      <p class="note soft">${last}</p>
    </div>`
  const head = html`<meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <meta name="color-scheme" content="light dark" />
    <title>${heading}</title>`
  return `<!doctype html>
<html lang="${language.tag}" dir="${language.direction}">
<head>
${String(head)}
<style>${style}</style>
</head>
<body>
${String(body)}
</body>
</html>
`
}
