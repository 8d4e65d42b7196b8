import { alert } from "../../platform/ui/form.ts"
import { type Html, html } from "../../kernel/html.ts"
import { renderAccountPage, type SignedInInput } from "../../platform/ui/account-frame.ts"
import { buttonLink } from "../../platform/ui/parts.ts"

type ProviderProblemInput = SignedInInput & {
  readonly title: string
  readonly text: Html | string
}

export function renderProviderProblem(input: ProviderProblemInput): string {
  const { basePath, title, text, texts } = input
  const main = html`<h1>${title}</h1>
    ${alert(text)} ${buttonLink(`${basePath}/account/security`, texts.html("provider.to-security"))}`
  return renderAccountPage(input, { here: "/account/security", title, main })
}
