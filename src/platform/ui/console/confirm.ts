/** A page that asks for confirmation. It shows the consequences and one button. */
import { type Consequences, consequenceList } from "../consequences.ts"
import type { Texts } from "../../languages/texts.ts"
import { hidden } from "../form.ts"
import { type Html, html } from "../../../kernel/html.ts"
import { caution } from "../mark.ts"
import { type ConsoleInput, heading, renderConsole } from "./frame.ts"
import type { Place } from "./navigation.ts"

type ConfirmInput = ConsoleInput & {
  readonly place: Place
  readonly title: string
  /** The heading. It names the object of the action. */
  readonly head: Html | string
  readonly lead: string
  readonly takes: Consequences
  /** The path of the form, relative to the base path. */
  readonly action: string
  readonly fields: readonly (readonly [name: string, value: string])[]
  readonly moreFields?: Html | undefined
  readonly button: string
  readonly isDangerous: boolean
  /** The path of the previous page, relative to the base path. */
  readonly back: string
}

export function renderConfirm(input: ConfirmInput): string {
  const { basePath, texts, csrf, place, title, head, lead, takes, action, fields, moreFields, button, back } =
    input
  const main = html`${heading(head)}
    <p class="lead">${lead}</p>
    ${takes.total.length > 0 && taken(texts, takes)}
    <form class="stack" method="post" action="${basePath}${action}">
      ${hidden("csrf", csrf)}${fields.map(([name, value]) => hidden(name, value))} ${moreFields}
      <div class="deeds">
        <button class="${input.isDangerous ? "danger" : "primary"}">${button}</button>
        <a class="button" href="${basePath}${back}">Cancel</a>
      </div>
    </form>`
  return renderConsole(input, { title, place, main, narrow: true })
}

function taken(texts: Texts, takes: Consequences): Html {
  return html`<section class="takes" aria-labelledby="takes">
    <h2 id="takes" class="unseen">What it does</h2>
    ${consequenceList(texts, takes)}
  </section>`
}

/** Renders a page that says why the action is not possible. */
export function renderCannot(
  input: ConsoleInput &
    Pick<ConfirmInput, "place" | "title" | "head" | "back"> & { readonly problem: string },
): string {
  const { basePath, place, title, head, back, problem } = input
  const main = html`${heading(head)}
    <div class="alert" role="alert">
      ${caution}
      <p>${problem}</p>
    </div>
    <p class="deeds"><a class="button" href="${basePath}${back}">Go back</a></p>`
  return renderConsole(input, { title, place, main, narrow: true })
}
