/** The page "Page not found" of the console, with its navigation. */
import { html } from "../../../kernel/html.ts"
import { type ConsoleInput, heading, renderConsole } from "./frame.ts"

export function renderNotFound(input: ConsoleInput): string {
  const main = html`${heading("Page not found")}
    <p class="lead">Check the address. The page may have moved or been removed.</p>
    <p class="deeds"><a class="button" href="${input.basePath}/console">Go to the overview</a></p>`
  return renderConsole(input, { title: "Page not found", place: null, main, narrow: true })
}
