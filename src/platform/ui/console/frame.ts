/** The frame of console pages: navigation, username and content. */
import { alert } from "../form.ts"
import { accountStyle, renderSignedIn } from "../account-frame.ts"
import { type Html, html } from "../../../kernel/html.ts"
import type { PageInput } from "../layout.ts"
import { consoleMessage } from "./flash.ts"
import { consoleNavigation, type Place } from "./navigation.ts"
import { PRODUCT } from "../../../model/appearance.rules.ts"
import { pageSheet } from "../style/style.ts"

export const consoleStyle = pageSheet(["console", "console-lists", "console-plots"], accountStyle)

export type ConsoleInput = PageInput & {
  readonly username: string
  readonly csrf: string
  /** The name of the notice to show. For an unknown name, no notice appears. */
  readonly done: string | null
}

type Page = {
  readonly title: string
  /** The value is null for a page outside the navigation. */
  readonly place: Place | null
  readonly main: Html
  /** A sheet that begins with the style sheet of the console. */
  readonly sheet?: string
  /** Whether the page is a narrow column for text and forms. */
  readonly narrow?: boolean
}

export function renderConsole(
  input: ConsoleInput,
  { title, place, main, narrow = false, sheet = consoleStyle }: Page,
): string {
  return renderSignedIn(
    { ...input, admin: true },
    {
      title: `${title} · Console`,
      navigation: consoleNavigation(place),
      main: html`<div class="${narrow ? "console narrow" : "console"}">
        ${consoleMessage(input.texts, input.done)}${main}
      </div>`,
      breadth: "broad",
      sheet,
      product: PRODUCT,
    },
  )
}

/** Renders the heading of a page, with its main action beside it. */
export function heading(
  title: Html | string,
  beside: Html | false = false,
  above: Html | false = false,
): Html {
  return html`<div class="heading">
    ${above}
    <h1>${title}</h1>
    ${beside}
  </div>`
}

/** Renders the link from a page back to its list. `path` is the whole path, such as `/console/apps`. */
export function upTo(basePath: string, path: string, label: string): Html {
  return html`<p class="up"><a href="${basePath}${path}">${label}</a></p>`
}

export function problemAlert(problem: string | null): Html | false {
  return problem !== null && alert(problem)
}
