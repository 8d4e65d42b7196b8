/** The confirmation page before access is ended, with the consequences. CRED-3. */
import type { Texts } from "../../platform/languages/texts.ts"
import { hidden } from "../../platform/ui/form.ts"
import { renderAccountPage, type SignedInInput } from "../../platform/ui/account-frame.ts"
import { type Html, html } from "../../kernel/html.ts"
import { countOf } from "../../kernel/words.ts"
import { appLine, appName, type KnownApp, standing } from "../../platform/ui/app-line.ts"
import { type AccessView, installationFacts, labelOf, permissionChips } from "./installation.view.ts"

export type Ended =
  | { readonly of: "installation"; readonly app: KnownApp; readonly access: AccessView }
  | { readonly of: "app"; readonly app: KnownApp; readonly installations: number }
  | { readonly of: "everything"; readonly installations: number; readonly apps: number }

export type EndAccessInput = SignedInInput & { readonly now: number; readonly ended: Ended }

function question(texts: Texts, ended: Ended): Html {
  switch (ended.of) {
    case "installation":
      return html`End the access of <bdi class="name">${appName(texts, ended.app)}</bdi>?`
    case "app":
      return html`End all access of <bdi class="name">${appName(texts, ended.app)}</bdi>?`
    case "everything":
      return html`End the access of all apps?`
  }
}

function subject(input: EndAccessInput): Html {
  const { texts, ended, now } = input
  switch (ended.of) {
    case "installation":
      return html`<div class="subject">
        ${appLine(input, ended.app, html`<p class="note"><bdi>${labelOf(ended.access)}</bdi></p>`)}
        ${permissionChips(ended.access.permissions)} ${installationFacts(texts, ended.access, now, true)}
      </div>`
    case "app":
      return html`<div class="subject">
        ${appLine(input, ended.app, html`<p class="note">${standing(texts, ended.app)}</p>`)}
        <p>${countOf(ended.installations, "installation")} of it will be signed out.</p>
      </div>`
    case "everything":
      return html`<p class="subject">
        ${countOf(ended.installations, "installation")} of ${countOf(ended.apps, "app")} will be signed out.
      </p>`
  }
}

function fields(ended: Ended): Html {
  switch (ended.of) {
    case "installation":
      return hidden("token_id", ended.access.tokenId)
    case "app":
      return hidden("app", ended.app.clientId)
    case "everything":
      return hidden("all", "yes")
  }
}

export function renderEndAccess(input: EndAccessInput): string {
  const { basePath, csrf, ended, texts } = input
  const main = html`<h1>${question(texts, ended)}</h1>
    ${subject(input)}
    <p class="note">
      Access ends immediately and permanently. This does not undo what an app already did, or delete what it
      copied. To use an app again, sign in to it again. It then asks for access as it did the first time.
    </p>
    <form class="decision" method="post" action="${basePath}/account/end-access">
      ${hidden("csrf", csrf)}${fields(ended)}
      <div class="buttons">
        <button class="danger">${ended.of === "everything" ? "End all access" : "End access"}</button>
        <a class="button" href="${basePath}/account">Keep it</a>
      </div>
    </form>`
  return renderAccountPage(input, { here: "/account", title: "End access", main })
}
