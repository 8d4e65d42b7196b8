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
  readonly later: string | null
  /** Whether the operator has configured e-mail. */
  readonly sendsMail: boolean
}

export function renderEmail(input: EmailInput): string {
  const { basePath, current, sentTo, problem, later, sendsMail } = input
  const main = html`<h1>E-mail address</h1>
    <p class="lead">
      ${
        current === null
          ? "Your account has no e-mail address."
          : html`Mail about your account goes to <strong><bdi>${current}</bdi></strong
              >.`
      }
    </p>
    ${sentTo !== null && notice(`A link was sent to ${sentTo}. Open it within an hour to confirm the address.`)}
    ${problem !== null && alert("The address was not changed. Check the field below.")}
    ${later !== null && alert(`The address was not changed. ${later}`)}
    ${sendsMail ? enterForm(input) : html`<p>This service sends no e-mail. Ask its operator to set an address.</p>`}
    ${current !== null && removeForm(input)}
    <p class="note"><a href="${basePath}/account/security">Go back</a></p>`
  return renderSecurityForm(input, { title: "E-mail address", main })
}

function enterForm({ basePath, csrf, current, typed, problem }: EmailInput): Html {
  return html`<form class="stack" method="post" action="${basePath}/account/email">
    ${hidden("csrf", csrf)}
    ${field({
      name: "address",
      label: current === null ? "Your e-mail address" : "New e-mail address",
      type: "email",
      autocomplete: "email",
      hint: "You get notices about your account there, and a link if you forget your password.",
      value: typed,
      problem,
      autofocus: true,
    })}
    <button class="primary">Send the link to confirm</button>
  </form>`
}

function removeForm({ basePath, csrf }: EmailInput): Html {
  return html`<form method="post" action="${basePath}/account/email">
    ${hidden("csrf", csrf)}${hidden("do", "remove")}
    <button class="link">Remove the address</button>
  </form>`
}
