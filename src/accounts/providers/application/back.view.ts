/** Renders why a sign-in through an application failed, and the way back to it. Interface LOGIN-7. */
import { type Html, html } from "../../../kernel/html.ts"
import { alert, hidden } from "../../../platform/ui/form.ts"
import { requestNote } from "../../../platform/ui/error.ts"
import { type PageInput, renderDocument } from "../../../platform/ui/layout.ts"

type BackInput = PageInput & {
  readonly name: string
  readonly label: string
  readonly text: Html
  readonly csrf: string
  /** What waits for the sign-in, sealed. */
  readonly continueTo: string | null
  readonly requestId: string
}

/** The button starts the sign-in again. */
export function renderBackToApplication(input: BackInput): string {
  const { basePath, name, label, text, csrf, continueTo, requestId, texts } = input
  const main = html`<h1>${texts.html("provider.failed.sign-in")}</h1>
    ${alert(text)}
    <form class="stack" method="post" action="${basePath}/sign-in/with/${name}">
      ${hidden("csrf", csrf)}${continueTo !== null && hidden("continue", continueTo)}
      <button class="primary">
        <span>${texts.html("application.back", { provider: html`<bdi>${label}</bdi>` })}</span>
      </button>
    </form>
    ${requestNote(texts, requestId)}`
  return renderDocument(input, { title: texts.plain("provider.failed.sign-in"), main })
}
