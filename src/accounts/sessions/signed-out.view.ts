import { html } from "../../kernel/html.ts"
import { type PageInput, renderDocument } from "../../platform/ui/layout.ts"

type SignedOutInput = PageInput

export function renderSignedOut(input: SignedOutInput): string {
  const { basePath } = input
  const main = html`<h1>You are signed out</h1>
    <p class="lead">
      Your account is closed in this browser. Apps keep the access that you gave them, unless it ends with the
      sign-in.
    </p>
    <p class="actions"><a class="button" href="${basePath}/sign-in">Sign in again</a></p>`
  return renderDocument(input, { title: "Signed out", main })
}
