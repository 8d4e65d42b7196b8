/** The secret as QR code and text, and the field for its first code. */
import { alert, hidden } from "../../platform/ui/form.ts"
import { renderSecurityForm, type SignedInInput } from "../../platform/ui/account-frame.ts"
import { html } from "../../kernel/html.ts"
import { factorNameField } from "./factor.view.ts"
import { codeField } from "../factors/proof.view.ts"
import { qrCode } from "../../platform/ui/qr.ts"

export type TotpProblem = { readonly field: "code" | "name"; readonly message: string }

export type TotpInput = SignedInInput & {
  readonly ticket: string
  /** The secret is in base32, without spaces. */
  readonly secret: string
  readonly uri: string
  readonly qr: readonly (readonly boolean[])[]
  readonly name: string
  readonly problem: TotpProblem | null
}

/** Groups the letters by four, which are easier to type. */
function grouped(secret: string): string {
  return (secret.match(/.{1,4}/g) ?? []).join(" ")
}

export function renderTotp(input: TotpInput): string {
  const { basePath, csrf, texts, ticket, secret, uri, qr, name, problem } = input
  const title = texts.plain("new-totp.title")
  const main = html`<h1>${title}</h1>
    <p class="lead">${texts.html("new-totp.lead")}</p>
    ${problem && alert(problem.message)}
    <figure class="enrol">
      ${qrCode(qr, texts.plain("new-totp.picture"))}
      <figcaption class="note">
        ${texts.html("new-totp.key", { key: html`<code class="secret">${grouped(secret)}</code>` })}
        <a href="${uri}">${texts.html("new-totp.open")}</a>
      </figcaption>
    </figure>
    <form class="stack" method="post" action="${basePath}/account/security/totp">
      ${hidden("csrf", csrf)}${hidden("ticket", ticket)} ${codeField(texts, false)}
      ${factorNameField(texts, name, "new-totp.name-hint", problem?.field === "name" ? problem.message : null)}
      <button class="primary">${texts.html("new-totp.button")}</button>
    </form>
    <p class="note"><a href="${basePath}/account/security">${texts.html("common.go-back")}</a></p>`
  return renderSecurityForm(input, { title, main })
}
