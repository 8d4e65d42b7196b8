/** The secret as QR code and text, and the field for its first code. */
import { alert, field, hidden } from "../../platform/ui/form.ts"
import { renderSecurityForm, type SignedInInput } from "../../platform/ui/account-frame.ts"
import { html } from "../../kernel/html.ts"
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
  const { basePath, csrf, ticket, secret, uri, qr, name, problem } = input
  const main = html`<h1>Add an authenticator app</h1>
    <p class="lead">
      Scan this with your authenticator app. The app then shows a six-digit code that changes every 30
      seconds.
    </p>
    ${problem && alert(problem.message)}
    <figure class="enrol">
      ${qrCode(qr, "QR code for your authenticator app")}
      <figcaption class="note">
        Cannot scan the code? Enter this key in the app: <code class="secret">${grouped(secret)}</code>
        <a href="${uri}">Open the app on this device</a>
      </figcaption>
    </figure>
    <form class="stack" method="post" action="${basePath}/account/security/totp">
      ${hidden("csrf", csrf)}${hidden("ticket", ticket)} ${codeField(input.texts, false)}
      ${field({
        name: "name",
        label: "Name",
        type: "text",
        autocomplete: "off",
        value: name,
        hint: "A name you will recognize, such as “My phone”.",
        problem: problem?.field === "name" ? problem.message : null,
        isOptional: true,
        maxlength: 100,
      })}
      <button class="primary">Add the app</button>
    </form>
    <p class="note"><a href="${basePath}/account/security">Go back</a></p>`
  return renderSecurityForm(input, { title: "Add an authenticator app", main })
}
