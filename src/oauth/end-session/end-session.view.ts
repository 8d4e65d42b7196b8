/** The page that asks whether an app may sign the person out. OpenID Connect RP-Initiated Logout §2; interface OIDC-14. */
import { type Html, html } from "../../kernel/html.ts"
import type { Texts } from "../../platform/languages/texts.ts"
import { hidden } from "../../platform/ui/form.ts"
import { type PageInput, renderDocument } from "../../platform/ui/layout.ts"
import { shownName } from "../../platform/ui/shown-text.ts"

type EndSessionInput = PageInput & {
  /** The name of the app that asks. Null if the request names none. */
  readonly appName: string | null
  readonly username: string
  readonly csrf: string
  /** The path and query of the request, which the form repeats. */
  readonly path: string
}

export function renderEndSession(input: EndSessionInput): string {
  const { basePath, look, texts, appName, username, csrf, path } = input
  const account = html`<strong><bdi>${shownName(username, texts.plain("common.unnamed"))}</bdi></strong>`
  const main = html`<h1>${texts.html("end-session.heading", { service: html`<bdi>${look.name}</bdi>` })}</h1>
    <p class="lead">${lead(texts, appName)}</p>
    <p>${texts.html("end-session.account", { account })}</p>
    <form class="decision" method="post" action="${basePath}${path}">
      ${hidden("csrf", csrf)}
      <div class="buttons">
        <button class="primary">${texts.html("common.sign-out")}</button>
        <a class="button" href="${basePath}/account">${texts.html("common.cancel")}</a>
      </div>
    </form>`
  return renderDocument(input, { title: texts.plain("end-session.title"), main })
}

function lead(texts: Texts, appName: string | null): Html {
  if (appName === null) return texts.html("end-session.lead")
  const app = html`<bdi class="name">${shownName(appName, texts.plain("common.nameless-app"))}</bdi>`
  return texts.html("end-session.lead.app", { app })
}
