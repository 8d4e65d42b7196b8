/** The secret of a confidential app, the one time that it is told. */
import { html } from "../html.ts"
import { shownName } from "../shown-text.ts"
import { type ConsoleInput, heading, renderConsole } from "./frame.ts"

export type SecretInput = ConsoleInput & {
  readonly clientId: string
  readonly name: string
  readonly secret: string
  readonly isNew: boolean
}

/** The one page that shows a secret. */
export function renderSecret(input: SecretInput): string {
  const { basePath, clientId, name, secret, isNew } = input
  const main = html`${heading(html`The secret of <bdi class="name">${shownName(name, "the app")}</bdi>`)}
    <p class="lead">
      It is shown this once. Keep it where only the app’s server reads
      it.${!isNew && " The old one does not work any more."}
    </p>
    <dl class="sheet-list">
      <div>
        <dt>Client id</dt>
        <dd><code class="id">${clientId}</code></dd>
      </div>
      <div>
        <dt>Secret</dt>
        <dd><code class="id secret">${secret}</code></dd>
      </div>
    </dl>
    <p class="deeds">
      <a class="button primary" href="${basePath}/console/app?id=${clientId}">I have kept it</a>
    </p>`
  return renderConsole(input, { title: "The secret", place: "apps", main, narrow: true })
}
