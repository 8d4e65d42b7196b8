/** The part of the account page with the apps that do not ask again. OIDC-17. */
import { type Html, html } from "../../kernel/html.ts"
import type { SignedInInput } from "../../platform/ui/account-frame.ts"
import { appName, type KnownApp } from "../../platform/ui/app-line.ts"
import { hidden } from "../../platform/ui/form.ts"
import { dayOf } from "../../platform/ui/instant.ts"

export type RememberedView = { readonly app: KnownApp; readonly endsAt: number }

export function remembered(input: SignedInInput, apps: readonly RememberedView[]): Html {
  const { texts } = input
  return html`<section class="next remembered">
    <h2>${texts.html("account.remembered.title")}</h2>
    <p class="note">${texts.html("account.remembered.lead")}</p>
    <ul class="accesses">
      ${apps.map((one) => row(input, one))}
    </ul>
  </section>`
}

function row({ basePath, texts, csrf }: SignedInInput, { app, endsAt }: RememberedView): Html {
  const name = appName(texts, app)
  return html`<li class="access">
    <div>
      <h3><bdi>${name}</bdi></h3>
      <p class="note">${texts.html("account.remembered.until", { day: dayOf(texts, endsAt) })}</p>
    </div>
    <form class="end" method="post" action="${basePath}/account/ask-again">
      ${hidden("csrf", csrf)}${hidden("app", app.clientId)}
      <button class="link" aria-label="${texts.plain("account.remembered.end.of", { app: name })}">
        ${texts.html("account.remembered.end")}
      </button>
    </form>
  </li>`
}
