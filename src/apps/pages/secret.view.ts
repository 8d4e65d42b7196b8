/** Renders the only page that shows an app's secret. CLIENT-3. */
import { html } from "../../kernel/html.ts"
import { secretToCopy } from "../../platform/ui/secret-to-copy.ts"
import { shownName } from "../../platform/ui/shown-text.ts"
import { type AppPageInput, pathOf } from "./app-page.ts"
import { type Connection, connectionFacts, whatComesNext } from "./connect.view.ts"

export type SecretInput = AppPageInput & {
  readonly clientId: string
  readonly name: string
  /** The value is null if the form was sent a second time. */
  readonly secret: string | null
  readonly isNewApp: boolean
  readonly connection: Connection
}

export function renderSecret(input: SecretInput): string {
  const { basePath, paths, clientId, name, secret, isNewApp, connection } = input
  const main = html`${
      secret === null
        ? html`<p class="lead">
            The secret was shown once, when this form was sent the first time. If you missed it, make a new
            one.
          </p>`
        : secretToCopy(input.texts, secret)
    }
    ${!isNewApp && html`<p class="note">The old secret does not work any more.</p>`}
    <dl class="facts long">
      <div>
        <dt>Client id</dt>
        <dd><code class="copied">${clientId}</code></dd>
      </div>
      ${connectionFacts(connection)}
    </dl>
    ${isNewApp && whatComesNext(basePath, "confidential")}
    <p class="actions">
      <a class="button" href="${basePath}${pathOf(paths.app, clientId)}"
        >${secret === null ? "To the app" : "I have copied it"}</a
      >
    </p>`
  return input.frame({
    title: "The secret of an app",
    heading: html`<bdi class="name">${shownName(name, "The app")}</bdi>
      ${isNewApp ? "is registered" : "has a new secret"}`,
    main,
    isNarrow: true,
  })
}
