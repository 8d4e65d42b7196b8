/** The page that answers a form of another session. Its button begins again what the form belonged to. */
import { type Html, html } from "../../kernel/html.ts"
import { type PageInput, renderDocument } from "../../platform/ui/layout.ts"
import { shownName } from "../../platform/ui/shown-text.ts"

type StartAgainInput = PageInput & {
  /** The account that is signed in now. Null if none is. */
  readonly username: string | null
  /** The path and query of the button, relative to the base path. */
  readonly next: string
}

export function renderStartAgain(input: StartAgainInput): string {
  const { basePath, username, next } = input
  const now: Html =
    username === null
      ? html`You are signed out now.`
      : html`You are signed in as <bdi>${shownName(username, "another account")}</bdi> now.`
  const main = html`<h1>Start again</h1>
    <p class="lead">
      You signed in or signed out in another tab, so this page could not be used any more. Nothing was
      changed.
    </p>
    <p>${now}</p>
    <p class="actions"><a class="button" href="${basePath}${next}">Start again</a></p>`
  return renderDocument(input, { title: "Start again", main })
}
