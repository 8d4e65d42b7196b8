/** Renders the page between this service and a sign-in provider. It goes on by itself. */
import { html } from "../../kernel/html.ts"
import { type PageInput, renderDocument } from "../../platform/ui/layout.ts"

type ContinueInput = PageInput & { readonly label: string; readonly url: string }

export function renderContinue(input: ContinueInput): string {
  const { label, url, texts } = input
  const provider = html`<bdi>${label}</bdi>`
  const main = html`<h1>${texts.html("provider.going", { provider })}</h1>
    <p class="lead">${texts.html("provider.going-lead")}</p>
    <p class="actions">
      <a class="button" href="${url}" rel="noreferrer"
        ><span>${texts.html("provider.going-button", { provider })}</span></a
      >
    </p>`
  return renderDocument(input, { title: texts.plain("provider.going", { provider: label }), main })
}
