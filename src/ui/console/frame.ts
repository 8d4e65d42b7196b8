/** The frame of the console: where one is, who is signed in, and a column wide enough for tables. */
import { alert, notice } from "../form.ts"
import { renderSignedIn } from "../account-frame.ts"
import { type Html, html } from "../../kernel/html.ts"
import type { PageInput } from "../layout.ts"
import { consoleNavigation, type Place } from "./navigation.ts"
import { consoleStyle } from "../style/style.ts"

export type ConsoleInput = PageInput & {
  readonly username: string
  readonly csrf: string
  /** The name of what was done a moment ago; an unknown one tells nothing. */
  readonly done: string | null
}

/** What a page says once after a form did its work. */
const notices: ReadonlyMap<string, string> = new Map([
  ["added", "The account was added."],
  ["renamed", "The account has its new name."],
  ["disabled", "Disabled. Nothing works with it until it is enabled again."],
  ["enabled", "Enabled. What it held before works again."],
  ["removed", "Removed for good."],
  ["granted", "The account is an administrator now."],
  ["withdrawn", "The account is an ordinary account now."],
  ["password", "The new password is in force. Every browser of the account was signed out."],
  ["unlocked", "Unlocked. Codes work in every browser again."],
  ["factors", "The factors are gone, and every browser of the account was signed out."],
  ["registered", "The app is registered."],
  ["saved", "Saved. It is in force everywhere within a second."],
  ["unchanged", "There was nothing to change."],
  ["revoked", "Revoked. The app holds no access through it any more."],
  ["allow-step-up", "The app may ask for a step-up now."],
  ["withdraw-step-up", "The app may not ask for a step-up any more."],
  ["icon", "The icon is stored. Pages show it while the app is verified."],
  ["icon-removed", "The icon is gone; pages show the monogram."],
])

type Page = {
  readonly title: string
  /** Null where it belongs to no place. */
  readonly place: Place | null
  readonly main: Html
  /** A column for reading and for forms, narrower than one for tables. */
  readonly narrow?: boolean
}

export function renderConsole(input: ConsoleInput, { title, place, main, narrow = false }: Page): string {
  return renderSignedIn(
    { ...input, admin: true },
    {
      title: `${title} · Console`,
      navigation: consoleNavigation(place),
      main: html`<div class="${narrow ? "console narrow" : "console"}">${flashMessage(input)}${main}</div>`,
      breadth: "broad",
      sheet: consoleStyle,
    },
  )
}

function flashMessage({ done }: ConsoleInput): Html | false {
  const text = done === null ? undefined : notices.get(done)
  return text !== undefined && notice(text)
}

/** The head of a page: what it is about, and beside it the one thing to do first. */
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

/** The way back to the list that a page belongs to. */
export function upTo(basePath: string, path: string, label: string): Html {
  return html`<p class="up"><a href="${basePath}/console${path}">${label}</a></p>`
}

/** A problem that a form was refused for; nothing where there is none. */
export function problemAlert(problem: string | null): Html | false {
  return problem !== null && alert(problem)
}
