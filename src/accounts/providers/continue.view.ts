/** Renders the page between this service and a sign-in provider. It goes on by itself. */
import { html } from "../../kernel/html.ts"
import { type PageInput, renderDocument } from "../../platform/ui/layout.ts"

type ContinueInput = PageInput & { readonly label: string; readonly url: string }

export function renderContinue(input: ContinueInput): string {
  const { label, url } = input
  const name = html`<bdi>${label}</bdi>`
  const main = html`<h1>Going to ${name}</h1>
    <p class="lead">You sign in there and come back here.</p>
    <p class="actions">
      <a class="button" href="${url}" rel="noreferrer"><span>Continue to ${name}</span></a>
    </p>`
  return renderDocument(input, { title: `Going to ${label}`, main })
}
