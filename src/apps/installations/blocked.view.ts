/** The part of the account page with the apps that an organization may not connect any more. ORG-9. */
import { type Html, html } from "../../kernel/html.ts"
import type { SignedInInput } from "../../platform/ui/account-frame.ts"
import { appName, type KnownApp } from "../../platform/ui/app-line.ts"
import { hidden } from "../../platform/ui/form.ts"

export type BlockedView = {
  readonly app: KnownApp
  /** The name of the sign-in provider in the configuration, and its label. */
  readonly provider: string
  readonly label: string
}

export function blocked(input: SignedInInput, apps: readonly BlockedView[]): Html {
  const { texts } = input
  return html`<section class="next remembered">
    <h2>${texts.html("account.blocked.title")}</h2>
    <p class="note">${texts.html("account.blocked.lead")}</p>
    <ul class="accesses">
      ${apps.map((one) => row(input, one))}
    </ul>
  </section>`
}

function row({ basePath, texts, csrf }: SignedInInput, { app, provider, label }: BlockedView): Html {
  const of = { app: appName(texts, app), organization: label }
  return html`<li class="access">
    <div>
      <h3><bdi>${of.app}</bdi></h3>
      <p class="note">${texts.html("installation.by", { organization: html`<bdi>${label}</bdi>` })}</p>
    </div>
    <form class="end" method="post" action="${basePath}/account/allow-again">
      ${hidden("csrf", csrf)}${hidden("app", app.clientId)}${hidden("organization", provider)}
      <button class="link" aria-label="${texts.plain("account.blocked.allow.of", of)}">
        ${texts.html("account.blocked.allow")}
      </button>
    </form>
  </li>`
}
