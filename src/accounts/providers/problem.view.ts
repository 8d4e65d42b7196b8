import { alert } from "../../platform/ui/form.ts"
import { type Html, html } from "../../kernel/html.ts"
import { requestNote } from "../../platform/ui/error.ts"
import { renderAccountPage, type SignedInInput } from "../../platform/ui/account-frame.ts"
import { buttonLink } from "../../platform/ui/parts.ts"

type ProviderProblemInput = SignedInInput & {
  readonly title: string
  readonly text: Html | string
  /** The path and query of the button that starts again, relative to the base path. */
  readonly again?: string | null
  readonly requestId: string
}

export function renderProviderProblem(input: ProviderProblemInput): string {
  const { basePath, title, text, again = null, requestId, texts } = input
  const main = html`<h1>${title}</h1>
    ${alert(text)}
    ${
      again === null
        ? buttonLink(`${basePath}/account/security`, texts.html("provider.to-security"))
        : buttonLink(`${basePath}${again}`, texts.html("start-again.title"))
    }
    ${requestNote(texts, requestId)}`
  return renderAccountPage(input, { here: "/account/security", title, main })
}
