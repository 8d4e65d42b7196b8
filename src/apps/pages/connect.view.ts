/** Renders the URLs that an app needs to find this service, and first steps for its developer. DISC-1. */
import type { ClientType } from "../../model/clients/client.rules.ts"
import { type Html, html } from "../../kernel/html.ts"
import type { Texts } from "../../platform/languages/texts.ts"
import type { PageInput } from "../../platform/ui/layout.ts"
import { fact } from "../../platform/ui/parts.ts"

export type Connection = {
  readonly issuer: string
  /** The URL of the authorization server metadata. */
  readonly metadata: string
  /** The URL of the OpenID configuration, if the app may use OpenID Connect. */
  readonly openid?: string | undefined
}

/** Renders the URLs as rows of a list. */
export function connectionFacts(texts: Texts, { issuer, metadata, openid }: Connection): Html {
  const urls = openid === undefined ? [metadata] : [metadata, openid]
  return html`${fact(texts.html("own-app.issuer"), html`<code class="copied">${issuer}</code>`)}
  ${fact(texts.html("own-app.metadata"), html`${urls.map((url) => html`<div><code class="copied">${url}</code></div>`)}`)}`
}

export function whatComesNext({ basePath, texts }: PageInput, type: ClientType): Html {
  const page = html`<a href="${basePath}/account">${texts.html("account.title")}</a>`
  const steps = [
    texts.html(`own-app.next.give.${type}`),
    texts.html("own-app.next.send"),
    texts.html("own-app.next.try", { page }),
  ]
  return html`<section>
    <h2>${texts.html("own-app.next.title")}</h2>
    <ol class="steps">
      ${steps.map((step) => html`<li><span>${step}</span></li>`)}
    </ol>
  </section>`
}
