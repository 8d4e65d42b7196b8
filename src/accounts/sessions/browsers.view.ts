import { hidden } from "../../platform/ui/form.ts"
import { renderAccountPage, type SignedInInput } from "../../platform/ui/account-frame.ts"
import { type Html, html } from "../../kernel/html.ts"
import { browserInWords } from "./browser-name.ts"
import { ago, dayOf } from "../../platform/ui/instant.ts"

/** Times are in seconds since 1970. */
type BrowserView = {
  readonly reference: string
  readonly isThisOne: boolean
  readonly userAgent: string
  readonly address: string
  readonly since: number
  readonly seenAt: number
}

export type BrowsersInput = SignedInInput & {
  readonly now: number
  /** The visitor's browser comes first. */
  readonly browsers: readonly BrowserView[]
  /** The number of browsers that are not listed. */
  readonly more: number
}

const PATH = "/account/security/browsers"

function browser({ basePath, texts, csrf, now }: BrowsersInput, view: BrowserView): Html {
  const words = browserInWords(view.userAgent)
  return html`<li class="access">
    <div>
      <h2>${words}${view.isThisOne && html` <span class="tag here">This browser</span>`}</h2>
      <dl class="dates">
        <div>
          <dt>Signed in</dt>
          <dd>${dayOf(texts, view.since)}</dd>
        </div>
        <div>
          <dt>Network address</dt>
          <dd><bdi>${view.address}</bdi></dd>
        </div>
        <div>
          <dt>Last seen</dt>
          <dd>${view.isThisOne ? "now" : ago(texts, view.seenAt, now)}</dd>
        </div>
      </dl>
    </div>
    ${
      !view.isThisOne &&
      html`<form class="end" method="post" action="${basePath}${PATH}">
        ${hidden("csrf", csrf)}${hidden("reference", view.reference)}
        <button class="link">
          Sign out<span class="unseen">
            ${words} at ${view.address}, signed in ${dayOf(texts, view.since)}</span
          >
        </button>
      </form>`
    }
  </li>`
}

export function renderBrowsers(input: BrowsersInput): string {
  const { basePath, csrf, browsers, more } = input
  const main = html`<div class="opening">
      <h1>Signed-in browsers</h1>
      <p class="lead">
        Each address is that of the browser’s first visit. Each name is what the browser reports. If a browser
        is not yours, sign it out and
        <a href="${basePath}/account/security/password">change your password</a>.
      </p>
    </div>
    <ul class="accesses">
      ${browsers.map((one) => browser(input, one))}
    </ul>
    ${more > 0 && html`<p class="note">${more} more are not shown.</p>`}
    ${
      browsers.length > 1 &&
      html`<form method="post" action="${basePath}${PATH}">
        ${hidden("csrf", csrf)}${hidden("others", "yes")}
        <button class="quiet">Sign out all other browsers</button>
      </form>`
    }
    <p class="note"><a href="${basePath}/account/security">Go back</a></p>`
  return renderAccountPage(input, { here: "/account/security", title: "Signed-in browsers", main })
}
