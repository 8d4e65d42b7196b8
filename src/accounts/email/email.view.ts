import { renderSecurityForm, type SignedInInput } from "../../platform/ui/account-frame.ts"
import { type Html, html } from "../../kernel/html.ts"
import { alert, field, hidden, notice } from "../../platform/ui/form.ts"

export type EmailInput = SignedInInput & {
  /** The confirmed address, or null. */
  readonly current: string | null
  /** The address to which a link was just sent. */
  readonly sentTo: string | null
  readonly typed: string
  readonly problem: string | null
  /** Why the address has to be entered again later. */
  readonly later: Html | null
  /** Whether the operator has configured e-mail. */
  readonly sendsMail: boolean
}

export function renderEmail(input: EmailInput): string {
  const { basePath, texts, current, sentTo, problem, later, sendsMail } = input
  const address = (text: string) => html`<bdi>${text}</bdi>`
  const main = html`<h1>${texts.html("email.title")}</h1>
    <p class="lead">
      ${
        current === null
          ? texts.html("email.none")
          : texts.html("email.current", { address: html`<strong>${address(current)}</strong>` })
      }
    </p>
    ${sentTo !== null && notice(texts.html("email.sent", { address: address(sentTo) }))}
    ${problem !== null && alert(texts.html("email.not-changed"))} ${later !== null && alert(later)}
    ${sendsMail ? enterForm(input) : html`<p>${texts.html("email.no-mail")}</p>`}
    ${current !== null && removeForm(input)}
    <p class="note"><a href="${basePath}/account/security">${texts.html("common.go-back")}</a></p>`
  return renderSecurityForm(input, { title: texts.plain("email.title"), main })
}

function enterForm({ basePath, csrf, texts, current, typed, problem }: EmailInput): Html {
  return html`<form class="stack" method="post" action="${basePath}/account/email">
    ${hidden("csrf", csrf)}
    ${field({
      name: "address",
      label: texts.plain(current === null ? "email.first" : "email.new"),
      type: "email",
      autocomplete: "email",
      hint: texts.plain("email.hint"),
      value: typed,
      problem,
      autofocus: true,
    })}
    <button class="primary">${texts.html("email.send")}</button>
  </form>`
}

function removeForm({ basePath, csrf, texts }: EmailInput): Html {
  return html`<form method="post" action="${basePath}/account/email">
    ${hidden("csrf", csrf)}${hidden("do", "remove")}
    <button class="link">${texts.html("email.remove")}</button>
  </form>`
}
