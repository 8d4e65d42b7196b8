import { type Html, html } from "../../kernel/html.ts"
import { accountField, alert, field, newPasswordField } from "../../platform/ui/form.ts"
import { type PageInput, renderDocument } from "../../platform/ui/layout.ts"
import { signInPath } from "../sign-in/continuation.ts"
import { shownName } from "../../platform/ui/shown-text.ts"
import { hiddenFields, proofAlert, proofForms, type ProofView } from "../factors/proof.view.ts"
import { buttonLink } from "../../platform/ui/parts.ts"

type OnTheWay = PageInput & {
  /** The sealed page that the browser visits after the sign-in, sent as `continue`. It is null if nothing waits. */
  readonly continueTo: string | null
}

export type AskForLinkInput = OnTheWay & {
  readonly csrf: string
  readonly typed?: string
  readonly problem?: string | null
  /** Why the request has to be sent again later. */
  readonly later?: Html | null
}

export function renderAskForLink(input: AskForLinkInput): string {
  const { basePath, continueTo, csrf, typed = "", problem = null, later = null, texts } = input
  const main = html`<h1>${texts.html("recover.ask-title")}</h1>
    <p class="lead">${texts.html("recover.ask-lead")}</p>
    ${problem !== null && alert(texts.html("recover.not-sent"))} ${later !== null && alert(later)}
    <form class="stack" method="post" action="${basePath}/recover">
      ${hiddenFields({ csrf, continue: continueTo })}
      ${field({
        name: "name",
        label: texts.plain("recover.name"),
        autocomplete: "username",
        value: typed,
        maxlength: 254,
        problem,
        autofocus: true,
      })}
      <button class="primary">${texts.html("recover.send")}</button>
    </form>
    <p class="note"><a href="${basePath}${signInPath(continueTo)}">${texts.html("recover.back")}</a></p>`
  return renderDocument(input, { title: texts.plain("recover.ask-title"), main })
}

/** The page is the same whether there is such an account or not. */
export function renderLinkOnItsWay(input: OnTheWay): string {
  const { basePath, continueTo, texts } = input
  const main = html`<h1>${texts.html("recover.sent-title")}</h1>
    <p class="lead">${texts.html("recover.sent-lead")}</p>
    <p>${texts.html("recover.sent-patience")}</p>
    ${buttonLink(`${basePath}${signInPath(continueTo)}`, texts.html("recover.back"))}`
  return renderDocument(input, { title: texts.plain("recover.sent-title"), main })
}

export function renderRecoveryWithoutMail(input: OnTheWay): string {
  const { basePath, continueTo, texts } = input
  const command = html`<code>bin/latchkey account recover NAME</code>`
  const main = html`<h1>${texts.html("recover.ask-title")}</h1>
    <p class="lead">${texts.html("recover.no-mail")}</p>
    <p class="note">${texts.html("recover.by-operator", { command })}</p>
    ${buttonLink(`${basePath}${signInPath(continueTo)}`, texts.html("recover.back"))}`
  return renderDocument(input, { title: texts.plain("recover.ask-title"), main })
}

type ProofForLinkInput = OnTheWay & {
  readonly csrf: string
  readonly link: string
  readonly proof: ProofView
}

export function renderProofForLink(input: ProofForLinkInput): string {
  const { basePath, continueTo, csrf, link, proof, texts } = input
  const fields = hiddenFields({ csrf, link, continue: continueTo })
  const main = html`<h1>${texts.html("recover.title")}</h1>
    <p class="lead">${texts.html("recover.second-step")}</p>
    ${proofAlert(texts, proof)}
    ${proofForms(texts, `${basePath}/recover`, fields, proof, { label: texts.plain("common.continue") })}`
  return renderDocument(input, { title: texts.plain("recover.title"), main, script: proof.passkey?.script })
}

type NewPasswordByLinkInput = OnTheWay & {
  readonly csrf: string
  readonly link: string
  /** The sealed proof of the second factor. It is empty without one. */
  readonly ticket: string
  readonly username: string
  readonly problem: string | null
}

export function renderNewPasswordByLink(input: NewPasswordByLinkInput): string {
  const { basePath, continueTo, csrf, link, ticket, username, problem, texts } = input
  const account = shownName(username, texts.plain("recover.nameless-account"))
  const main = html`<h1>${texts.html("recover.title")}</h1>
    <p class="lead">
      ${texts.html("recover.for-account", { account: html`<strong><bdi>${account}</bdi></strong>` })}
    </p>
    ${problem !== null && alert(texts.html("common.password-not-changed"))}
    <form class="stack" method="post" action="${basePath}/recover">
      ${hiddenFields({ csrf, link, ticket, continue: continueTo })}${accountField(input.texts, username)}
      ${newPasswordField(texts, { name: "new_password", problem })}
      <button class="primary">${texts.html("recover.set")}</button>
    </form>`
  return renderDocument(input, { title: texts.plain("recover.title"), main })
}
