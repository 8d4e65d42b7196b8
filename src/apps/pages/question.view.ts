/** Renders the confirmation page before an owner disables or removes an app or replaces its secret. */
import { hidden } from "../../platform/ui/form.ts"
import { html, type Insertable } from "../../kernel/html.ts"
import { shownName } from "../../platform/ui/shown-text.ts"
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
  const { basePath, texts, csrf, paths, clientId, name, action, use, ticket } = input
  const app = shownName(name, texts.plain("common.nameless-app"))
  const main = html`<p class="lead">${texts.html(`app-question.${action}.lead`)}</p>
    ${use !== null && html`<p>${use}</p>`}
    <form class="decision" method="post" action="${basePath}${paths.act(action).path}">
      ${hidden("csrf", csrf)}${hidden("id", clientId)}${ticket !== null && hidden("ticket", ticket)}
      <div class="buttons">
        <button class="danger">${texts.html(`app-question.${action}.button`)}</button>
        <a class="button" href="${basePath}${pathOf(paths.app, clientId)}">${texts.html("common.cancel")}</a>
      </div>
    </form>`
  return input.frame({
    title: texts.plain(`app-question.${action}.title`, { app }),
    heading: texts.html(`app-question.${action}.heading`, { app: html`<bdi class="name">${app}</bdi>` }),
    main,
    isNarrow: true,
  })
}
