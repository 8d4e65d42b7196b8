/** Renders the page on which a new account gets its username. */
import { html } from "../../kernel/html.ts"
import { field, hidden } from "../../platform/ui/form.ts"
import { signInPath } from "../sign-in/continuation.ts"
import { type PageInput, renderDocument } from "../../platform/ui/layout.ts"

type ChooseNameInput = PageInput & {
  readonly csrf: string
  /** The path of the form, below the base path. */
  readonly action: string
  /** The sealed facts of the sign-in, sent as `ticket`. */
  readonly ticket: string
  readonly continueTo: string | null
  readonly username: string
  readonly problem: string | null
  /** Whether the sign-in page leads to an application at once, and so back to this page. */
  readonly isOnlyWay?: boolean
}

export function renderChooseName(input: ChooseNameInput): string {
  const { basePath, csrf, action, ticket, continueTo, username, problem, isOnlyWay = false, texts } = input
  const main = html`<h1>${texts.html("provider.choose-name")}</h1>
    <p class="lead">${texts.html("provider.choose-name-lead")}</p>
    <form class="stack" method="post" action="${basePath}${action}">
      ${hidden("csrf", csrf)}${hidden("ticket", ticket)}${continueTo !== null && hidden("continue", continueTo)}
      ${field({
        name: "username",
        label: texts.plain("common.username"),
        autocomplete: "username",
        value: username,
        problem,
        autofocus: true,
      })}
      <button class="primary">${texts.html("provider.create-account")}</button>
    </form>
    ${!isOnlyWay && html`<p class="note"><a href="${basePath}${signInPath(continueTo)}">${texts.html("common.cancel")}</a></p>`}`
  return renderDocument(input, { title: texts.plain("provider.choose-name"), main })
}
