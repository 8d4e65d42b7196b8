/** Renders the page that offers recovery codes, and the only page that shows them. */
import { hidden } from "../../platform/ui/form.ts"
import { renderSecurityForm, type SignedInInput } from "../../platform/ui/account-frame.ts"
import { html } from "../../kernel/html.ts"
import { shownName } from "../../platform/ui/shown-text.ts"
import { buttonLink } from "../../platform/ui/parts.ts"

type AskRecoveryInput = SignedInInput & {
  /** Whether the account already has codes, which the new codes replace. */
  readonly replaces: boolean
}

export function renderAskRecovery(input: AskRecoveryInput): string {
  const { basePath, csrf, texts, replaces } = input
  const main = html`<h1>${texts.html(replaces ? "recovery-codes.replace" : "recovery-codes.get")}</h1>
    <p class="lead">${texts.html("recovery-codes.lead")}</p>
    ${replaces && html`<p>${texts.html("recovery-codes.replaces")}</p>`}
    <form class="stack" method="post" action="${basePath}/account/security/recovery">
      ${hidden("csrf", csrf)}
      <button class="primary">
        ${texts.html(replaces ? "recovery-codes.create" : "recovery-codes.show")}
      </button>
    </form>
    <p class="note"><a href="${basePath}/account/security">${texts.html("common.go-back")}</a></p>`
  return renderSecurityForm(input, { title: texts.plain("recovery-codes.title"), main })
}

type RecoveryCodesInput = SignedInInput & {
  readonly host: string
  readonly codes: readonly string[]
}

export function renderRecoveryCodes(input: RecoveryCodesInput): string {
  const { basePath, texts, username, host, codes } = input
  const title = texts.plain("recovery-codes.yours")
  const account = shownName(username, texts.plain("recovery-codes.nameless-account"))
  const main = html`<h1>${title}</h1>
    <p class="lead">${texts.html("recovery-codes.keep")}</p>
    <ol class="codes">
      ${codes.map((code) => html`<li><code>${code}</code></li>`)}
    </ol>
    <p class="note">
      ${texts.html("recovery-codes.for", { account: html`<bdi>${account}</bdi>`, host: html`<bdi>${host}</bdi>` })}
    </p>
    ${buttonLink(`${basePath}/account/security`, texts.html("recovery-codes.saved"))}`
  return renderSecurityForm(input, { title, main })
}
