import { alert, hidden } from "../../platform/ui/form.ts"
import { renderSecurityForm, type SignedInInput } from "../../platform/ui/account-frame.ts"
import { html } from "../../kernel/html.ts"
import { factorNameField } from "./factor.view.ts"
import { newPasskeyForm, type PasskeyView } from "../factors/passkey.view.ts"

export type NewPasskeyInput = SignedInInput & {
  /** The value is null if passkeys do not work at the base URL. */
  readonly passkey: PasskeyView | null
  readonly name: string
  readonly problem: string | null
}

export function renderNewPasskey(input: NewPasskeyInput): string {
  const { basePath, csrf, texts, passkey, name, problem } = input
  const title = texts.plain("new-passkey.title")
  const nameField = factorNameField(texts, name, "new-passkey.name-hint", null)
  const main = html`<h1>${title}</h1>
    <p class="lead">${texts.html("new-passkey.lead")}</p>
    ${problem !== null && alert(problem)}
    ${
      passkey === null
        ? html`<p>${texts.html("security.no-passkeys")}</p>`
        : html`${newPasskeyForm(texts, {
              action: `${basePath}/account/security/passkey`,
              passkey,
              fields: [hidden("csrf", csrf), nameField],
              button: texts.plain("new-passkey.button"),
              look: "primary",
            })}
            <p class="note" data-without-passkey>${texts.html("new-passkey.needs-script")}</p>`
    }
    <p class="note"><a href="${basePath}/account/security">${texts.html("common.go-back")}</a></p>`
  return renderSecurityForm(input, { title, main, script: passkey?.script })
}
