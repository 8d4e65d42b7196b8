/** Renders the pages of an invitation. */
import { type Html, html } from "../../kernel/html.ts"
import { alert, field, hidden, newPasswordField } from "../../platform/ui/form.ts"
import { type PageInput, renderDocument } from "../../platform/ui/layout.ts"
import { caution } from "../../platform/ui/mark.ts"
import type { PasskeyAnswer } from "../factors/passkey-challenge.ts"
import { newPasskeyForm, type PasskeyView } from "../factors/passkey.view.ts"
import { hiddenFields } from "../factors/proof.view.ts"
import { type ProviderButton, providerLabel } from "../factors/provider-buttons.view.ts"

type Invited = PageInput & {
  readonly csrf: string
  /** The secret of the link, sent as `link`. */
  readonly link: string
  readonly username: string
}

export type InvitationProblem = {
  readonly name?: string
  readonly password?: string
  /** A problem that belongs to no field. */
  readonly text?: Html
  /** A passkey that was made already. The person only chooses another name for it. */
  readonly passkey?: PasskeyAnswer | null
}

export type InvitationInput = Invited & {
  /** Whether the account becomes an administrator. */
  readonly admin: boolean
  /** The address that the invitation confirms, or null. */
  readonly email: string | null
  /** The name of the account that this browser is signed in to, or null. */
  readonly signedInAs: string | null
  /** Whether the account may sign in here, and not only through a provider. */
  readonly offersOwn?: boolean
  readonly offersPasskeys: boolean
  readonly providers: readonly ProviderButton[]
  readonly problem: InvitationProblem
}

export function renderInvitation(input: InvitationInput): string {
  const { basePath, csrf, link, username, problem, texts, offersOwn = true } = input
  const { name = null, password = null, text = null, passkey = null } = problem
  const isProblem = name !== null || password !== null
  const main = html`<h1>${texts.html("set-up.heading", { service: input.look.name })}</h1>
    <p class="lead">${texts.html(offersOwn ? "invitation.lead" : "invitation.lead-username")}</p>
    ${promises(input)} ${text !== null && alert(text)} ${isProblem && alert(texts.html("set-up.not-created"))}
    <form class="stack" method="post" action="${basePath}/invitation">
      ${hiddenFields({ csrf, link })}
      ${passkey !== null && hiddenFields({ challenge: passkey.challenge, response: passkey.response })}
      ${field({
        name: "username",
        label: texts.plain("common.username"),
        autocomplete: "username",
        value: username,
        problem: name,
        autofocus: password === null && (name !== null || username === ""),
      })}
      ${
        passkey === null &&
        offersOwn &&
        newPasswordField(texts, {
          label: "common.password",
          problem: password,
          autofocus: password !== null || (name === null && username !== ""),
        })
      }
      ${offersOwn && html`<button class="primary">${texts.html("provider.create-account")}</button>`}
      ${passkey === null && otherWays(input)}
    </form>`
  return renderDocument(input, { title: texts.plain("invitation.title"), main })
}

/** The buttons are of the same form, so that they take the typed name along. */
function otherWays({
  basePath,
  offersPasskeys,
  providers,
  texts,
  offersOwn = true,
}: InvitationInput): Html | false {
  if (!offersPasskeys && providers.length === 0) return false
  return html`<div class="${offersOwn ? "providers" : "stack"}">
    ${
      offersPasskeys &&
      html`<button class="quiet" name="with" value="passkey" formnovalidate>
        ${texts.html("invitation.use-passkey")}
      </button>`
    }
    ${providers.map(
      (provider) =>
        html`<button
          class="${offersOwn ? "quiet" : "primary"}"
          name="provider"
          value="${provider.name}"
          formaction="${basePath}/invitation/with"
          formnovalidate
        >
          ${providerLabel(texts, provider)}
        </button>`,
    )}
  </div>`
}

/** What comes with the account, and what it does to this browser. */
function promises({ admin, email, signedInAs, texts }: InvitationInput): Html {
  return html`${
    admin &&
    html`<section class="administration" aria-labelledby="administration">
      <h2 id="administration">${caution}${texts.html("mail.invited-administrator.heading")}</h2>
      <p>${texts.html("invitation.administrator")}</p>
    </section>`
  }
  ${email !== null && html`<p>${texts.html("invitation.email", { address: html`<strong><bdi>${email}</bdi></strong>` })}</p>`}
  ${signedInAs !== null && html`<p>${texts.html("invitation.signed-in", { account: html`<strong><bdi>${signedInAs}</bdi></strong>` })}</p>`}`
}

export type InvitedPasskeyInput = Invited & {
  /** Null if passkeys do not work at the base URL. */
  readonly passkey: PasskeyView | null
  readonly problem: string | null
}

export function renderInvitedPasskey(input: InvitedPasskeyInput): string {
  const { basePath, csrf, link, username, passkey, problem, texts } = input
  const back = `${basePath}/invitation?link=${encodeURIComponent(link)}`
  const title = texts.plain("invitation.title")
  const account = html`<strong><bdi>${username}</bdi></strong>`
  const main = html`<h1>${texts.html("invitation.passkey-heading")}</h1>
    <p class="lead">${texts.html("invitation.passkey-lead", { account })}</p>
    ${problem !== null && alert(problem)}
    ${
      passkey === null
        ? html`<p>${texts.html("security.no-passkeys")}</p>`
        : html`${newPasskeyForm(texts, {
              action: `${basePath}/invitation`,
              passkey,
              fields: [hidden("csrf", csrf), hidden("link", link), hidden("username", username)],
              button: texts.plain("provider.create-account"),
              look: "primary",
            })}
            <p class="note" data-without-passkey>${texts.html("new-passkey.needs-script")}</p>`
    }
    <p class="note"><a href="${back}">${texts.html("common.go-back")}</a></p>`
  return renderDocument(input, { title, main, script: passkey?.script })
}
