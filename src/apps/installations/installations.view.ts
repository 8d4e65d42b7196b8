/** The account's start page: the apps that are signed in, each with its installations. GRANT-1, SVC-8. */
import { type AccessView, alike, installation } from "./installation.view.ts"
import { appLine, appName, type KnownApp, standing } from "../../platform/ui/app-line.ts"
import { notice } from "../../platform/ui/form.ts"
import { type Html, html } from "../../kernel/html.ts"
import { renderAccountPage, type SignedInInput } from "../../platform/ui/account-frame.ts"

/** The installations of one app on this page. */
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
  /** The installations of all apps. */
  readonly installations: number
  /** Whether the page shows only one app. */
  readonly isOfOneApp: boolean
  /** The query string of the next page, including its question mark. It is null on the last page. */
  readonly older: string | null
  /** Whether there is a previous page. */
  readonly isLater: boolean
  /** The notice that the page shows after a form, or null. */
  readonly done: "ended" | "all-ended" | null
}

const notices = {
  ended: "The access has ended.",
  "all-ended": "All access has ended. No app can act for you.",
} as const

function group(input: AccountInput, one: AppGroup): Html {
  const { basePath, texts, now, isOfOneApp } = input
  const { app, installations, access } = one
  const name = appName(texts, app)
  const query = `app=${encodeURIComponent(app.clientId)}`
  const same = alike(access)
  return html`<section class="app-group">
    ${appLine(input, app, html`<p class="note">${standing(texts, app)}</p>`)}
    ${
      !app.enabled &&
      html`<p class="note aside-note">This app is disabled at the moment: it can do nothing.</p>`
    }
    <ul class="accesses">
      ${access.map((held) => installation(input, name, held, now, same.has(held.tokenId)))}
    </ul>
    ${
      installations > 1 &&
      html`<p class="note actions">
        ${
          installations > access.length &&
          !isOfOneApp &&
          html`<a href="${basePath}/account?${query}"
            >Show all ${installations}<span class="unseen"> of ${name}</span></a
          >`
        }
        <a href="${basePath}/account/end-access?${query}"
          >End all ${installations}<span class="unseen"> of ${name}</span></a
        >
      </p>`
    }
  </section>`
}

const nothing = html`<div class="empty">
  <p>No app has access to your account.</p>
  <p class="note">
    When an app asks, you decide on a page of this service what it may do. It is listed here from then on.
  </p>
</div>`

function pages({ basePath, older, isLater, isOfOneApp }: AccountInput): Html | false {
  if (older === null && !isLater && !isOfOneApp) return false
  return html`<p class="pages">
    ${(isLater || isOfOneApp) && html`<a href="${basePath}/account">Back to all, newest first</a>`}
    ${older !== null && html`<a href="${basePath}/account${older}">Older ones</a>`}
  </p>`
}

export function renderAccount(input: AccountInput): string {
  const { basePath, groups, installations, done } = input
  const main = html`${done !== null && notice(notices[done])}
    <div class="opening">
      <h1>Apps and devices</h1>
      ${groups.length > 0 && html`<p class="lead">These can act for you until you end their access.</p>`}
    </div>
    ${groups.length === 0 ? nothing : groups.map((one) => group(input, one))} ${pages(input)}
    ${
      groups.length > 0 &&
      installations > 1 &&
      html`<section class="next">
        <h2>End everything</h2>
        <p class="note">
          If you are no longer sure which apps can act for you, end all access and start over.
        </p>
        <p class="actions">
          <a class="button" href="${basePath}/account/end-access?all=yes">End the access of all apps</a>
        </p>
      </section>`
    }`
  return renderAccountPage(input, { here: "/account", title: "Apps and devices", main })
}
