/** A secret: the question before a new one is made, and the one page that shows it. */
import { hidden } from "../../ui/form.ts"
import { renderAccountPage, type SignedInInput } from "../../ui/account-frame.ts"
import { html } from "../../kernel/html.ts"
import { secretToCopy } from "../../ui/secret-to-copy.ts"
import { shownName } from "../../ui/shown-text.ts"
import { type Connection, connectionFacts, whatComesNext } from "./connect.view.ts"

export type AskSecretInput = SignedInInput & {
  readonly clientId: string
  readonly name: string
  /** Lets the form through once. */
  readonly ticket: string
}

export function renderAskSecret(input: AskSecretInput): string {
  const { basePath, csrf, clientId, name, ticket } = input
  const main = html`<h1>A new secret for <bdi class="name">${shownName(name, "this app")}</bdi>?</h1>
    <p class="lead">
      The old one stops working at once. Until your server has the new one, the app can neither sign anybody
      in nor renew its access. Nobody is signed out.
    </p>
    <form class="decision" method="post" action="${basePath}/account/apps/secret">
      ${hidden("csrf", csrf)}${hidden("id", clientId)}${hidden("ticket", ticket)}
      <div class="buttons">
        <button class="primary">Make a new secret</button>
        <a class="button" href="${basePath}/account/apps/app?id=${clientId}">Keep the old one</a>
      </div>
    </form>`
  return renderAccountPage(input, { here: "/account/apps", title: "A new secret", main })
}

export type SecretInput = SignedInInput & {
  readonly clientId: string
  readonly name: string
  /** Null where the form was sent a second time: it is not told again. */
  readonly secret: string | null
  readonly isNewApp: boolean
  readonly connection: Connection
}

export function renderSecret(input: SecretInput): string {
  const { basePath, clientId, name, secret, isNewApp, connection } = input
  const shown = shownName(name, "The app")
  const main = html`<h1>
      <bdi class="name">${shown}</bdi> ${isNewApp ? "is registered" : "has a new secret"}
    </h1>
    ${
      secret === null
        ? html`<p class="lead">
            Its secret was shown once, when this form was sent first. If you missed it, make a new one.
          </p>`
        : secretToCopy(secret)
    }
    <dl class="facts long">
      <div>
        <dt>Client id</dt>
        <dd><code class="copied">${clientId}</code></dd>
      </div>
      ${connectionFacts(connection)}
    </dl>
    ${isNewApp && whatComesNext(basePath, "confidential")}
    <p class="actions">
      <a class="button" href="${basePath}/account/apps/app?id=${clientId}"
        >${secret === null ? "To the app" : "I have copied it"}</a
      >
    </p>`
  return renderAccountPage(input, { here: "/account/apps", title: "The secret of an app", main })
}
