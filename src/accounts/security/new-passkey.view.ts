/** Adding a passkey. */
import { alert, field, hidden } from "../../ui/form.ts"
import { renderSecurityForm, type SignedInInput } from "../../ui/account-frame.ts"
import { html } from "../../kernel/html.ts"
import { newPasskeyForm, type PasskeyView } from "../factors/passkey.view.ts"

export type NewPasskeyInput = SignedInInput & {
  /** Null where passkeys cannot be used at the address of this service. */
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
    hint: "So that you know it again, such as “My laptop”.",
    isOptional: true,
    maxlength: 100,
  })
  const main = html`<h1>Add a passkey</h1>
    <p class="lead">
      Your fingerprint, your face or a security key. It cannot be guessed or fished for, and it can replace
      the password when you sign in.
    </p>
    ${problem !== null && alert(problem)}
    ${
      passkey === null
        ? html`<p>
            Passkeys belong to a name such as id.example.org. This service is reached by a bare number, so
            there are none here.
          </p>`
        : html`${newPasskeyForm({
              action: `${basePath}/account/security/passkey`,
              passkey,
              fields: [hidden("csrf", csrf), nameField],
              button: "Add the passkey",
              look: "primary",
            })}
            <p class="note" data-without-passkey>
              This needs a browser that knows passkeys, with JavaScript switched on.
            </p>`
    }
    <p class="note"><a href="${basePath}/account/security">Go back</a></p>`
  return renderSecurityForm(input, { title: "Add a passkey", main, script: passkey?.script })
}
