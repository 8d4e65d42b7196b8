/** The confirmation page before access is ended, with the consequences. CRED-3. */
import type { Texts } from "../../platform/languages/texts.ts"
import { hidden } from "../../platform/ui/form.ts"
import { renderAccountPage, type SignedInInput } from "../../platform/ui/account-frame.ts"
import { type Html, html } from "../../kernel/html.ts"
import { appLine, appName, type KnownApp, standing } from "../../platform/ui/app-line.ts"
import { type AccessView, installationFacts, labelOf, permissionChips } from "./installation.view.ts"

export type Ended =
  | { readonly of: "installation"; readonly app: KnownApp; readonly access: AccessView }
  | { readonly of: "app"; readonly app: KnownApp; readonly installations: number }
  | { readonly of: "everything"; readonly installations: number; readonly apps: number }

export type EndAccessInput = SignedInInput & { readonly now: number; readonly ended: Ended }

function question(texts: Texts, ended: Ended): Html {
  if (ended.of === "everything") return texts.html("end-access.question.everything")
  const app = html`<bdi class="name">${appName(texts, ended.app)}</bdi>`
  return texts.html(`end-access.question.${ended.of}`, { app })
}

function subject(input: EndAccessInput): Html {
  const { texts, ended, now } = input
  switch (ended.of) {
    case "installation":
      return html`<div class="subject">
        ${appLine(input, ended.app, html`<p class="note"><bdi>${labelOf(texts, ended.access)}</bdi></p>`)}
        ${permissionChips(texts, ended.access.permissions)}
        ${installationFacts(texts, ended.access, now, true)}
      </div>`
    case "app":
      return html`<div class="subject">
        ${appLine(input, ended.app, html`<p class="note">${standing(texts, ended.app)}</p>`)}
        <p>${texts.html("end-access.count.app", { installations: ended.installations })}</p>
      </div>`
    case "everything":
      return html`<p class="subject">
        ${texts.html("end-access.count.everything", { installations: ended.installations, apps: ended.apps })}
      </p>`
  }
}

function consequences(texts: Texts, ended: Ended): Html {
  const organization = ended.of === "installation" ? ended.access.organization : undefined
  return organization === undefined
    ? texts.html("end-access.what-it-means")
    : texts.html("end-access.what-it-means.organization", { organization: html`<bdi>${organization}</bdi>` })
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
    <p class="note">${consequences(texts, ended)}</p>
    <form class="decision" method="post" action="${basePath}/account/end-access">
      ${hidden("csrf", csrf)}${fields(ended)}
      <div class="buttons">
        <button class="danger">
          ${texts.html(ended.of === "everything" ? "end-access.button.all" : "end-access.button.one")}
        </button>
        <a class="button" href="${basePath}/account">${texts.html("end-access.keep")}</a>
      </div>
    </form>`
  return renderAccountPage(input, { here: "/account", title: texts.plain("end-access.title"), main })
}
