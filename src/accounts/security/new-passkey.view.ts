import { alert, field, hidden } from "../../platform/ui/form.ts"
import { renderSecurityForm, type SignedInInput } from "../../platform/ui/account-frame.ts"
import { html } from "../../kernel/html.ts"
import { newPasskeyForm, type PasskeyView } from "../factors/passkey.view.ts"

export type NewPasskeyInput = SignedInInput & {
  /** The value is null if passkeys do not work at the base URL. */
  readonly passkey: PasskeyView | null
  readonly name: string
  readonly problem: string | null
}

export function renderNewPasskey(input: NewPasskeyInput): string {
  const { basePath, csrf, passkey, name, problem } = input
  const nameField = field({
    name: "name",
    label: "Name",
    type: "text",
    autocomplete: "off",
    value: name,
    hint: "A name you will recognize, such as “My laptop”.",
    isOptional: true,
    maxlength: 100,
  })
  const main = html`<h1>Add a passkey</h1>
    <p class="lead">
      Sign in with your fingerprint, your face or a security key. A passkey cannot be guessed or phished, and
      you can use it instead of your password.
    </p>
    ${problem !== null && alert(problem)}
    ${
      passkey === null
        ? html`<p>
            Passkeys need a host name such as id.example.org. This service is reached by an IP address, so it
            cannot offer them.
          </p>`
        : html`${newPasskeyForm(input.texts, {
              action: `${basePath}/account/security/passkey`,
              passkey,
              fields: [hidden("csrf", csrf), nameField],
              button: "Add passkey",
              look: "primary",
            })}
            <p class="note" data-without-passkey>
              To add a passkey, turn on JavaScript in a browser that supports passkeys.
            </p>`
    }
    <p class="note"><a href="${basePath}/account/security">Go back</a></p>`
  return renderSecurityForm(input, { title: "Add a passkey", main, script: passkey?.script })
}
