/** An address of the console at which there is nothing, or nothing any more; the way on stays in sight. */
import { html } from "../../kernel/html.ts"
import { type ConsoleInput, heading, renderConsole } from "./frame.ts"

export function renderNotFound(input: ConsoleInput): string {
  const main = html`${heading("There is nothing here")}
    <p class="lead">The address may be mistyped, or what it showed was removed.</p>
    <p class="deeds"><a class="button" href="${input.basePath}/console">To the overview</a></p>`
  return renderConsole(input, { title: "There is nothing here", place: null, main, narrow: true })
}
