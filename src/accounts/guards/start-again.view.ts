/** The page that answers a form of another session. Its button begins again what the form belonged to. */
import { type Html, html } from "../../kernel/html.ts"
import { type PageInput, renderDocument } from "../../platform/ui/layout.ts"
import { shownName } from "../../platform/ui/shown-text.ts"
import { buttonLink } from "../../platform/ui/parts.ts"

type StartAgainInput = PageInput & {
  /** The account that is signed in now. Null if none is. */
  readonly username: string | null
  /** Whether the session goes on as soon as its application vouches for it again. */
  readonly isLapsed?: boolean
  /** The path and query of the button, relative to the base path. */
  readonly next: string
}

export function renderStartAgain(input: StartAgainInput): string {
  const { basePath, username, next, texts, isLapsed = false } = input
  const now: Html =
    username === null
      ? texts.html("start-again.signed-out")
      : texts.html("start-again.signed-in", {
          account: html`<bdi>${shownName(username, texts.plain("start-again.nameless-account"))}</bdi>`,
        })
  const main = html`<h1>${texts.html("start-again.title")}</h1>
    <p class="lead">${texts.html(isLapsed ? "start-again.lapsed" : "start-again.lead")}</p>
    ${!isLapsed && html`<p>${now}</p>`} ${buttonLink(`${basePath}${next}`, texts.html("start-again.title"))}`
  return renderDocument(input, { title: texts.plain("start-again.title"), main })
}
