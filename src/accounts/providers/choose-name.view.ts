/** Renders the page on which a new account gets its username. */
import { html } from "../../kernel/html.ts"
import { field, hidden } from "../../platform/ui/form.ts"
import { type PageInput, renderDocument } from "../../platform/ui/layout.ts"
import { type WayOut, wayOutOf } from "../sign-in/way-out.view.ts"

type ChooseNameInput = PageInput & {
  readonly csrf: string
  /** The path of the form, below the base path. */
  readonly action: string
  /** The sealed facts of the sign-in, sent as `ticket`. */
  readonly ticket: string
  readonly continueTo: string | null
  readonly username: string
  readonly problem: string | null
  readonly wayOut?: WayOut
}

export function renderChooseName(input: ChooseNameInput): string {
  const { basePath, csrf, action, ticket, continueTo, username, problem, texts } = input
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
    ${wayOutOf(input, action, texts.html("common.cancel"))}`
  return renderDocument(input, { title: texts.plain("provider.choose-name"), main })
}
