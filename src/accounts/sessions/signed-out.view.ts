import { html } from "../../kernel/html.ts"
import { type PageInput, renderDocument } from "../../platform/ui/layout.ts"
import { buttonLink } from "../../platform/ui/parts.ts"

export function renderSignedOut(input: PageInput): string {
  const { basePath, texts } = input
  const main = html`<h1>${texts.html("signed-out.heading")}</h1>
    <p class="lead">${texts.html("signed-out.lead")}</p>
    ${buttonLink(`${basePath}/sign-in`, texts.html("signed-out.sign-in"))}`
  return renderDocument(input, { title: texts.plain("signed-out.title"), main })
}
