import { hidden } from "../../platform/ui/form.ts"
import { renderAccountPage, type SignedInInput } from "../../platform/ui/account-frame.ts"
import { type Html, html } from "../../kernel/html.ts"
import { browserInWords } from "./browser-name.ts"
import { ago, dayOf } from "../../platform/ui/instant.ts"
import { fact } from "../../platform/ui/parts.ts"

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
  const words = browserInWords(texts, view.userAgent)
  return html`<li class="access">
    <div>
      <h2>
        ${words}${view.isThisOne && html` <span class="tag here">${texts.html("browsers.this-one")}</span>`}
      </h2>
      <dl class="dates">
        ${fact(texts.html("browsers.signed-in"), dayOf(texts, view.since))}
        ${fact(texts.html("browsers.address"), html`<bdi>${view.address}</bdi>`)}
        ${fact(texts.html("browsers.last-seen"), view.isThisOne ? texts.html("browsers.now") : ago(texts, view.seenAt, now))}
      </dl>
    </div>
    ${
      !view.isThisOne &&
      html`<form class="end" method="post" action="${basePath}${PATH}">
        ${hidden("csrf", csrf)}${hidden("reference", view.reference)}
        <button class="link">
          ${texts.html("browsers.sign-out")}<span class="unseen">
            ${texts.html("browsers.sign-out-which", { browser: words, address: view.address, day: dayOf(texts, view.since) })}</span
          >
        </button>
      </form>`
    }
  </li>`
}

export function renderBrowsers(input: BrowsersInput): string {
  const { basePath, texts, csrf, browsers, more } = input
  const title = texts.plain("browsers.title")
  const second = html`<a href="${basePath}/account/security/password">${texts.html("browsers.not-yours")}</a>`
  const main = html`<div class="opening">
      <h1>${title}</h1>
      <p class="lead">
        ${texts.html("common.two-sentences", { first: texts.html("browsers.lead"), second })}
      </p>
    </div>
    <ul class="accesses">
      ${browsers.map((one) => browser(input, one))}
    </ul>
    ${more > 0 && html`<p class="note">${texts.html("browsers.more", { count: more })}</p>`}
    ${
      browsers.length > 1 &&
      html`<form method="post" action="${basePath}${PATH}">
        ${hidden("csrf", csrf)}${hidden("others", "yes")}
        <button class="quiet">${texts.html("browsers.sign-out-others")}</button>
      </form>`
    }
    <p class="note"><a href="${basePath}/account/security">${texts.html("common.go-back")}</a></p>`
  return renderAccountPage(input, { here: "/account/security", title, main })
}
