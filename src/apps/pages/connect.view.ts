/** Renders the URLs that an app needs to find this service, and first steps for its developer. DISC-1. */
import type { ClientType } from "../../model/clients/client.rules.ts"
import { type Html, html } from "../../kernel/html.ts"

export type Connection = {
  readonly issuer: string
  /** The URL of the authorization server metadata. */
  readonly metadata: string
}

/** Renders the URLs as rows of a list. */
export function connectionFacts({ issuer, metadata }: Connection): Html {
  return html`<div>
      <dt>Issuer</dt>
      <dd><code class="copied">${issuer}</code></dd>
    </div>
    <div>
      <dt>Metadata</dt>
      <dd><code class="copied">${metadata}</code></dd>
    </div>`
}

export function whatComesNext(basePath: string, type: ClientType): Html {
  return html`<section>
    <h2>What comes next</h2>
    <ol class="steps">
      <li>
        <span
          >Give your app
          ${type === "confidential" ? "the client id, the secret and the issuer" : "the client id and the issuer"}.
          Most OAuth libraries read the rest from the metadata.</span
        >
      </li>
      <li><span>Let it send people here to sign in. They see what it asks for, and decide.</span></li>
      <li>
        <span
          >Try it yourself first: what you allow is listed under
          <a href="${basePath}/account">Apps and devices</a>.</span
        >
      </li>
    </ol>
  </section>`
}
