/** Renders the only page that shows an app's secret. CLIENT-3. */
import { html } from "../../kernel/html.ts"
import { appName } from "../../platform/ui/app-line.ts"
import { secretToCopy } from "../../platform/ui/secret-to-copy.ts"
import { type AppPageInput, pathOf } from "./app-page.ts"
import { type Connection, connectionFacts, whatComesNext } from "./connect.view.ts"
import { buttonLink, fact } from "../../platform/ui/parts.ts"

export type SecretInput = AppPageInput & {
  readonly clientId: string
  readonly name: string
  /** The value is null if the form was sent a second time. */
  readonly secret: string | null
  readonly isNewApp: boolean
  readonly connection: Connection
}

export function renderSecret(input: SecretInput): string {
  const { basePath, texts, paths, clientId, secret, isNewApp, connection } = input
  const main = html`${
      secret === null
        ? html`<p class="lead">${texts.html("app-secret.shown-before")}</p>`
        : secretToCopy(texts, secret)
    }
    ${!isNewApp && html`<p class="note">${texts.html("app-secret.old-ended")}</p>`}
    <dl class="facts long">
      ${fact(texts.html("own-app.client-id"), html`<code class="copied">${clientId}</code>`)}
      ${connectionFacts(texts, connection)}
    </dl>
    ${isNewApp && whatComesNext(input, "confidential")}
    ${buttonLink(`${basePath}${pathOf(paths.app, clientId)}`, texts.html(secret === null ? "app-secret.to-app" : "app-secret.copied"))}`
  return input.frame({
    title: texts.plain("app-secret.title"),
    heading: texts.html(isNewApp ? "app-secret.registered" : "app-secret.replaced", {
      app: html`<bdi class="name">${appName(texts, input)}</bdi>`,
    }),
    main,
    isNarrow: true,
  })
}
