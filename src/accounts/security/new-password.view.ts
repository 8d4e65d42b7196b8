import { accountField, alert, field, hidden } from "../../platform/ui/form.ts"
import { renderSecurityForm, type SignedInInput } from "../../platform/ui/account-frame.ts"
import { html } from "../../kernel/html.ts"

export type NewPasswordInput = SignedInInput & {
  readonly problem: string | null
  readonly passwordLengthAtLeast: number
}

export function renderNewPassword(input: NewPasswordInput): string {
  const { basePath, csrf, username, problem } = input
  const main = html`<h1>Change your password</h1>
    <p class="lead">This signs you out of every other browser. Apps keep the access that you gave them.</p>
    ${problem !== null && alert("The password was not changed. Check the field below.")}
    <form class="stack" method="post" action="${basePath}/account/security/password">
      ${hidden("csrf", csrf)}${accountField(input.texts, username)}
      ${field({
        name: "password",
        label: "New password",
        type: "password",
        autocomplete: "new-password",
        hint: `At least ${input.passwordLengthAtLeast} characters. A few unrelated words make a good password.`,
        problem,
        autofocus: true,
      })}
      <button class="primary">Change password</button>
    </form>
    <p class="note"><a href="${basePath}/account/security">Go back</a></p>`
  return renderSecurityForm(input, { title: "Change your password", main })
}
