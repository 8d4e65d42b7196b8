/** Renders the connections of an account to sign-in providers, for the security page. */
import { hidden } from "../../platform/ui/form.ts"
import { wholeDay } from "../../platform/ui/instant.ts"
import { shownName } from "../../platform/ui/shown-text.ts"
import { type Html, html } from "../../kernel/html.ts"
import type { SignedInInput } from "../../platform/ui/account-frame.ts"
import { type ProviderButton, providerLabel } from "../factors/provider-buttons.view.ts"

type ConnectionView = {
  readonly identityHash: string
  /** The provider's name for people, or its name in the configuration that once had it. */
  readonly label: string
  readonly shownName: string | null
  readonly linkedAt: number
  /** Whether the configuration still has the issuer. */
  readonly isOffered: boolean
  /** Whether it is the only way to sign in, which stays. */
  readonly isOnly?: boolean
}

export type ConnectionsInput = {
  readonly connections: readonly ConnectionView[]
  /** The providers that the account can connect to. */
  readonly providers: readonly ProviderButton[]
}

export function connectionsSection(
  input: SignedInInput,
  { connections, providers }: ConnectionsInput,
): Html | null {
  const { basePath, csrf, texts } = input
  if (connections.length === 0 && providers.length === 0) return null
  return html`<section>
    <h2>${texts.html("connections.heading")}</h2>
    ${
      connections.length === 0
        ? html`<p class="note">${texts.html("connections.none")}</p>`
        : html`<ul class="factors">
            ${connections.map((one) => connection(input, one))}
          </ul>`
    }
    ${
      providers.length > 0 &&
      html`<form class="actions" method="post" action="${basePath}/account/security/connect">
        ${hidden("csrf", csrf)}
        ${providers.map(
          (provider) =>
            html`<button class="button" name="provider" value="${provider.name}">
              ${providerLabel(texts, provider, "connections.connect")}
            </button>`,
        )}
      </form>`
    }
  </section>`
}

function connection({ basePath, csrf, texts }: SignedInInput, view: ConnectionView): Html {
  const { identityHash, label, linkedAt, isOffered } = view
  const name = view.shownName === null ? null : shownName(view.shownName, "", 80)
  return html`<li>
    <div>
      <h3><bdi class="name">${label}</bdi></h3>
      <p class="note">
        ${texts.html(`connections.${name === null ? "" : "named-"}since${isOffered ? "" : "-not-offered"}`, {
          account: html`<bdi>${name}</bdi>`,
          when: wholeDay(texts, linkedAt),
        })}
      </p>
    </div>
    ${
      view.isOnly !== true &&
      html`<form method="post" action="${basePath}/account/security/disconnect">
        ${hidden("csrf", csrf)}${hidden("id", identityHash)}
        <button class="link">
          ${texts.html("connections.disconnect", { provider: html`<span class="unseen">${label}</span>` })}
        </button>
      </form>`
    }
  </li>`
}
