/** The parts of the account page with what stays chosen about apps, each with a button that undoes it. OIDC-17, ORG-9. */
import { type Html, html } from "../../kernel/html.ts"
import type { SignedInInput } from "../../platform/ui/account-frame.ts"
import { appName, type KnownApp } from "../../platform/ui/app-line.ts"
import { hidden } from "../../platform/ui/form.ts"
import { dayOf } from "../../platform/ui/instant.ts"

/** An app that does not ask again. */
export type RememberedView = { readonly app: KnownApp; readonly endsAt: number }

/** An app that an organization may not connect any more. */
export type BlockedView = {
  readonly app: KnownApp
  /** The name of the sign-in provider in the configuration, and its label. */
  readonly provider: string
  readonly label: string
}

const parts = {
  remembered: {
    action: "/account/ask-again",
    button: "account.remembered.end",
    buttonOf: "account.remembered.end.of",
  },
  blocked: {
    action: "/account/allow-again",
    button: "account.blocked.allow",
    buttonOf: "account.blocked.allow.of",
  },
} as const

export function appChoices(
  input: SignedInInput,
  part: keyof typeof parts,
  apps: readonly (RememberedView | BlockedView)[],
): Html {
  const { texts } = input
  return html`<section class="next remembered">
    <h2>${texts.html(`account.${part}.title`)}</h2>
    <p class="note">${texts.html(`account.${part}.lead`)}</p>
    <ul class="accesses">
      ${apps.map((one) => row(input, part, one))}
    </ul>
  </section>`
}

function row(
  { basePath, texts, csrf }: SignedInInput,
  part: keyof typeof parts,
  one: RememberedView | BlockedView,
): Html {
  const { action, button, buttonOf } = parts[part]
  const app = appName(texts, one.app)
  const note =
    "endsAt" in one
      ? texts.html("account.remembered.until", { day: dayOf(texts, one.endsAt) })
      : texts.html("installation.by", { organization: html`<bdi>${one.label}</bdi>` })
  const label = texts.plain(buttonOf, { app, organization: "label" in one ? one.label : "" })
  return html`<li class="access">
    <div>
      <h3><bdi>${app}</bdi></h3>
      <p class="note">${note}</p>
    </div>
    <form class="end" method="post" action="${basePath}${action}">
      ${hidden("csrf", csrf)}${hidden("app", one.app.clientId)}
      ${"provider" in one && hidden("organization", one.provider)}
      <button class="link" aria-label="${label}">${texts.html(button)}</button>
    </form>
  </li>`
}
