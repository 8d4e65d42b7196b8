/** The secret of a confidential app, the one time that it is told. */
import { html } from "../../kernel/html.ts"
import { secretToCopy } from "../../ui/secret-to-copy.ts"
import { shownName } from "../../ui/shown-text.ts"
import { type ConsoleInput, heading, renderConsole } from "../../ui/console/frame.ts"
import { factList } from "../../ui/console/words.ts"

export type SecretInput = ConsoleInput & {
  readonly clientId: string
  readonly name: string
  readonly secret: string
  readonly isNew: boolean
  /** Where the app finds this service. */
  readonly issuer: string
}

/** The one page that shows a secret. */
export function renderSecret(input: SecretInput): string {
  const { basePath, clientId, name, secret, isNew, issuer } = input
  const shown = html`<bdi class="name">${shownName(name, "The app")}</bdi>`
  const main = html`${heading(html`${shown} ${isNew ? "is registered" : "has a new secret"}`)}
    ${!isNew && html`<p class="lead">The old one does not work any more.</p>`} ${secretToCopy(secret)}
    ${factList([
      ["Client id", html`<code class="copied">${clientId}</code>`],
      ["Issuer", html`<code class="copied">${issuer}</code>`],
    ])}
    <p class="deeds">
      <a class="button primary" href="${basePath}/console/app?id=${clientId}">I have copied it</a>
    </p>`
  return renderConsole(input, { title: "The secret", place: "apps", main, narrow: true })
}
