import { html } from "../../kernel/html.ts"
import { accountField, alert, field } from "../../platform/ui/form.ts"
import { type PageInput, renderDocument } from "../../platform/ui/layout.ts"
import { signInPath } from "../sign-in/continuation.ts"
import { shownName } from "../../platform/ui/shown-text.ts"
import { hiddenFields, proofAlert, proofForms, type ProofView } from "../factors/proof.view.ts"

const TITLE = "Set a new password"

type OnTheWay = PageInput & {
  /** The sealed page that the browser visits after the sign-in, sent as `continue`. It is null if nothing waits. */
  readonly continueTo: string | null
}

export type AskForLinkInput = OnTheWay & {
  readonly csrf: string
  readonly typed: string
  readonly problem: string | null
  /** Why the request has to be sent again later. */
  readonly later: string | null
}

export function renderAskForLink(input: AskForLinkInput): string {
  const { basePath, continueTo, csrf, typed, problem, later } = input
  const main = html`<h1>Forgot your password?</h1>
    <p class="lead">
      We send a link to the e-mail address of your account. It works once, within half an hour.
    </p>
    ${problem !== null && alert("No link was sent. Check the field below.")}
    ${later !== null && alert(`No link was sent. ${later}`)}
    <form class="stack" method="post" action="${basePath}/recover">
      ${hiddenFields({ csrf, continue: continueTo })}
      ${field({
        name: "name",
        label: "Username or e-mail address",
        type: "text",
        autocomplete: "username",
        value: typed,
        maxlength: 254,
        problem,
        autofocus: true,
      })}
      <button class="primary">Send the link</button>
    </form>
    <p class="note"><a href="${basePath}${signInPath(continueTo)}">Back to sign-in</a></p>`
  return renderDocument(input, { title: "Forgot your password?", main })
}

/** The page is the same whether there is such an account or not. */
export function renderLinkOnItsWay(input: OnTheWay): string {
  const { basePath, continueTo } = input
  const main = html`<h1>Look at your mail</h1>
    <p class="lead">If there is such an account, and it has an address for mail, a link is on its way.</p>
    <p>
      It can take a few minutes. Look in the spam folder too. If nothing comes, ask the operator of this
      service.
    </p>
    <p class="actions"><a class="button" href="${basePath}${signInPath(continueTo)}">Back to sign-in</a></p>`
  return renderDocument(input, { title: "Look at your mail", main })
}

export function renderRecoveryWithoutMail(input: OnTheWay): string {
  const { basePath, continueTo } = input
  const main = html`<h1>Forgot your password?</h1>
    <p class="lead">This service sends no e-mail. Ask its operator for a link to set a new password.</p>
    <p class="note">
      Operators make it with <code>bin/latchkey account recover NAME</code>. It works once, within half an
      hour.
    </p>
    <p class="actions"><a class="button" href="${basePath}${signInPath(continueTo)}">Back to sign-in</a></p>`
  return renderDocument(input, { title: "Forgot your password?", main })
}

type ProofForLinkInput = OnTheWay & {
  readonly csrf: string
  readonly link: string
  readonly proof: ProofView
}

export function renderProofForLink(input: ProofForLinkInput): string {
  const { basePath, continueTo, csrf, link, proof } = input
  const fields = hiddenFields({ csrf, link, continue: continueTo })
  const main = html`<h1>${TITLE}</h1>
    <p class="lead">Your account has a second step. Confirm it first, then choose the new password.</p>
    ${proofAlert(proof)} ${proofForms(`${basePath}/recover`, fields, proof, { label: "Continue" })}`
  return renderDocument(input, { title: TITLE, main, script: proof.passkey?.script })
}

type NewPasswordByLinkInput = OnTheWay & {
  readonly csrf: string
  readonly link: string
  /** The sealed proof of the second factor. It is empty without one. */
  readonly ticket: string
  readonly username: string
  readonly passwordLengthAtLeast: number
  readonly problem: string | null
}

export function renderNewPasswordByLink(input: NewPasswordByLinkInput): string {
  const { basePath, continueTo, csrf, link, ticket, username, problem } = input
  const main = html`<h1>${TITLE}</h1>
    <p class="lead">
      For the account <strong><bdi>${shownName(username, "without a name")}</bdi></strong
      >. Every other browser is signed out. Apps keep the access that you gave them.
    </p>
    ${problem !== null && alert("The password was not changed. Check the field below.")}
    <form class="stack" method="post" action="${basePath}/recover">
      ${hiddenFields({ csrf, link, ticket, continue: continueTo })}${accountField(username)}
      ${field({
        name: "new_password",
        label: "New password",
        type: "password",
        autocomplete: "new-password",
        hint: `At least ${input.passwordLengthAtLeast} characters. A few unrelated words make a good password.`,
        problem,
        autofocus: true,
      })}
      <button class="primary">Set the password and sign in</button>
    </form>`
  return renderDocument(input, { title: TITLE, main })
}
