/** Renders the confirmation page before an owner disables or removes an app or replaces its secret. */
import { hidden } from "../../platform/ui/form.ts"
import { html, type Insertable } from "../../kernel/html.ts"
import { shownName } from "../../platform/ui/shown-text.ts"
import { actionWords } from "./action-words.ts"
import { type AppPageInput, pathOf } from "./app-page.ts"

export type QuestionInput = AppPageInput & {
  readonly clientId: string
  readonly name: string
  readonly action: "disable" | "remove" | "secret"
  /** Describes who uses the app. It is null if the action removes no access. */
  readonly use: Insertable
  /** The ticket makes a form work only once. It is null for actions that may be repeated. */
  readonly ticket: string | null
}

export function renderQuestion(input: QuestionInput): string {
  const { basePath, csrf, paths, clientId, name, action, use, ticket } = input
  const { title, lead, button, isDangerous } = actionWords[action]
  const shown = shownName(name, "this app")
  const main = html`<p class="lead">${lead}</p>
    ${use !== null && html`<p>${use}</p>`}
    <form class="decision" method="post" action="${basePath}${paths.act(action).path}">
      ${hidden("csrf", csrf)}${hidden("id", clientId)}${ticket !== null && hidden("ticket", ticket)}
      <div class="buttons">
        <button class="${isDangerous ? "danger" : "primary"}">${button}</button>
        <a class="button" href="${basePath}${pathOf(paths.app, clientId)}">Cancel</a>
      </div>
    </form>`
  return input.frame({
    title: `${title} ${shown}`,
    heading: html`${title} <bdi class="name">${shown}</bdi>?`,
    main,
    isNarrow: true,
  })
}
