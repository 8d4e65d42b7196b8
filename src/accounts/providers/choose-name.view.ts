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
}

export function renderChooseName(input: ChooseNameInput): string {
  const { basePath, csrf, action, ticket, continueTo, username, problem } = input
  const main = html`<h1>Choose a username</h1>
    <p class="lead">You are new here. Your username is what other people and apps see.</p>
    <form class="stack" method="post" action="${basePath}${action}">
      ${hidden("csrf", csrf)}${hidden("ticket", ticket)}${continueTo !== null && hidden("continue", continueTo)}
      ${field({
        name: "username",
        label: "Username",
        type: "text",
        autocomplete: "username",
        value: username,
        problem,
        autofocus: true,
      })}
      <button class="primary">Create account</button>
    </form>
    <p class="note"><a href="${basePath}${signInPath(continueTo)}">Cancel</a></p>`
  return renderDocument(input, { title: "Choose a username", main })
}
