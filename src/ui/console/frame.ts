/** The frame of console pages: navigation, username, and a column wide enough for tables. */
import { alert, notice } from "../form.ts"
import { renderSignedIn } from "../account-frame.ts"
import { type Html, html } from "../../kernel/html.ts"
import type { PageInput } from "../layout.ts"
import { consoleNavigation, type Place } from "./navigation.ts"
import { consoleStyle } from "../style/style.ts"

export type ConsoleInput = PageInput & {
  readonly username: string
  readonly csrf: string
  /** The name of the notice to show; unknown names show nothing. */
  readonly done: string | null
}

/** Notices after a form. */
const notices: ReadonlyMap<string, string> = new Map([
  ["added", "The account was added."],
  ["renamed", "The account was renamed."],
  ["disabled", "Disabled. It does not work until you enable it again."],
  ["enabled", "Enabled. Access that was not revoked works again."],
  ["removed", "Removed permanently."],
  ["granted", "The account is now an administrator."],
  ["withdrawn", "The account is no longer an administrator."],
  ["password", "The password was changed. Every browser of the account was signed out."],
  ["unlocked", "Unlocked. Codes work in every browser again."],
  ["factors", "The factors were removed. Every browser of the account was signed out."],
  ["registered", "The app was registered."],
  ["saved", "Saved. The change takes effect within a second."],
  ["unchanged", "Nothing was changed."],
  ["revoked", "Revoked. The app no longer has this access."],
  ["allow-step-up", "The app can now ask for a step-up."],
  ["withdraw-step-up", "The app can no longer ask for a step-up."],
  ["icon", "The icon was saved. Pages show it while the app is verified."],
  ["icon-removed", "The icon was removed. Pages show the monogram."],
])

type Page = {
  readonly title: string
  /** Null for a page outside the navigation. */
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

/** The heading of a page, with its main action beside it. */
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

/** The link back to the list of a page. */
export function upTo(basePath: string, path: string, label: string): Html {
  return html`<p class="up"><a href="${basePath}/console${path}">${label}</a></p>`
}

export function problemAlert(problem: string | null): Html | false {
  return problem !== null && alert(problem)
}
