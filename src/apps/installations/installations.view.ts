/** The account's start page: the apps that are signed in, each with its installations. GRANT-1, SVC-8. */
import { type AccessView, alike, installation } from "./installation.view.ts"
import { appChoices, type BlockedView, type RememberedView } from "./app-choices.view.ts"
import { appLine, appName, type KnownApp, standing } from "../../platform/ui/app-line.ts"
import { notice } from "../../platform/ui/form.ts"
import { type Html, html } from "../../kernel/html.ts"
import type { Texts } from "../../platform/languages/texts.ts"
import { renderAccountPage, type SignedInInput } from "../../platform/ui/account-frame.ts"
import { buttonLink } from "../../platform/ui/parts.ts"

export type AppGroup = {
  readonly app: KnownApp
  /** The app's installations on all pages. */
  readonly installations: number
  /** The installations are sorted, newest first. */
  readonly access: readonly AccessView[]
}

export type AccountInput = SignedInInput & {
  readonly now: number
  readonly groups: readonly AppGroup[]
  readonly installations: number
  /** Whether the page shows only one app. */
  readonly isOfOneApp: boolean
  /** The query string of the next page, including its question mark. It is null on the last page. */
  readonly older: string | null
  /** Whether there is a previous page. */
  readonly isLater: boolean
  /** The notice that the page shows after a form, or null. */
  readonly done: "ended" | "all-ended" | "asks-again" | "allowed-again" | null
  readonly remembered?: readonly RememberedView[]
  readonly blocked?: readonly BlockedView[]
}

function group(input: AccountInput, one: AppGroup): Html {
  const { basePath, texts, now, isOfOneApp } = input
  const { app, installations, access } = one
  const name = appName(texts, app)
  const query = `app=${encodeURIComponent(app.clientId)}`
  const same = alike(texts, access)
  return html`<section class="app-group">
    ${appLine(input, app, html`<p class="note">${standing(texts, app)}</p>`)}
    ${!app.enabled && html`<p class="note aside-note">${texts.html("account.app-disabled")}</p>`}
    <ul class="accesses">
      ${access.map((held) => installation(input, name, held, now, same.has(held.tokenId)))}
    </ul>
    ${
      installations > 1 &&
      html`<p class="note actions">
        ${
          installations > access.length &&
          !isOfOneApp &&
          html`<a
            href="${basePath}/account?${query}"
            aria-label="${texts.plain("account.show-all.of", { count: installations, app: name })}"
            >${texts.html("account.show-all", { count: installations })}</a
          >`
        }
        <a
          href="${basePath}/account/end-access?${query}"
          aria-label="${texts.plain("account.end-all.of", { count: installations, app: name })}"
          >${texts.html("account.end-all", { count: installations })}</a
        >
      </p>`
    }
  </section>`
}

function nothing(texts: Texts): Html {
  return html`<div class="empty">
    <p>${texts.html("account.empty.title")}</p>
    <p class="note">${texts.html("account.empty.lead")}</p>
  </div>`
}

function pages({ basePath, texts, older, isLater, isOfOneApp }: AccountInput): Html | false {
  if (older === null && !isLater && !isOfOneApp) return false
  return html`<p class="pages">
    ${(isLater || isOfOneApp) && html`<a href="${basePath}/account">${texts.html("account.newest")}</a>`}
    ${older !== null && html`<a href="${basePath}/account${older}">${texts.html("account.older")}</a>`}
  </p>`
}

export function renderAccount(input: AccountInput): string {
  const { basePath, texts, groups, installations, done, remembered = [], blocked = [] } = input
  const main = html`${done !== null && notice(texts.html(`account.done.${done}`))}
    <div class="opening">
      <h1>${texts.html("account.title")}</h1>
      ${groups.length > 0 && html`<p class="lead">${texts.html("account.lead")}</p>`}
    </div>
    ${groups.length === 0 ? nothing(texts) : groups.map((one) => group(input, one))} ${pages(input)}
    ${remembered.length > 0 && appChoices(input, "remembered", remembered)}
    ${blocked.length > 0 && appChoices(input, "blocked", blocked)}
    ${
      groups.length > 0 &&
      installations > 1 &&
      html`<section class="next">
        <h2>${texts.html("account.end-everything.title")}</h2>
        <p class="note">${texts.html("account.end-everything.lead")}</p>
        ${buttonLink(`${basePath}/account/end-access?all=yes`, texts.html("account.end-everything.button"))}
      </section>`
    }`
  return renderAccountPage(input, { here: "/account", title: texts.plain("account.title"), main })
}
