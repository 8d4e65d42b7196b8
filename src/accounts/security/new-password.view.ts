import { accountField, alert, hidden, newPasswordField } from "../../platform/ui/form.ts"
import { renderSecurityForm, type SignedInInput } from "../../platform/ui/account-frame.ts"
import { html } from "../../kernel/html.ts"

export type NewPasswordInput = SignedInInput & {
  readonly problem: string | null
}

export function renderNewPassword(input: NewPasswordInput): string {
  const { basePath, csrf, texts, username, problem } = input
  const title = texts.plain("new-password.title")
  const main = html`<h1>${title}</h1>
    <p class="lead">${texts.html("new-password.lead")}</p>
    ${problem !== null && alert(texts.html("common.password-not-changed"))}
    <form class="stack" method="post" action="${basePath}/account/security/password">
      ${hidden("csrf", csrf)}${accountField(texts, username)} ${newPasswordField(texts, { problem })}
      <button class="primary">${texts.html("new-password.button")}</button>
    </form>
    <p class="note"><a href="${basePath}/account/security">${texts.html("common.go-back")}</a></p>`
  return renderSecurityForm(input, { title, main })
}
