/** Renders the page that offers recovery codes, and the only page that shows them. */
import { hidden } from "../../platform/ui/form.ts"
import { renderSecurityForm, type SignedInInput } from "../../platform/ui/account-frame.ts"
import { html } from "../../kernel/html.ts"
import { shownName } from "../../platform/ui/shown-text.ts"

type AskRecoveryInput = SignedInInput & {
  /** Whether the account already has codes, which the new codes replace. */
  readonly replaces: boolean
}

export function renderAskRecovery(input: AskRecoveryInput): string {
  const { basePath, csrf, replaces } = input
  const main = html`<h1>${replaces ? "Create new recovery codes?" : "Get recovery codes"}</h1>
    <p class="lead">
      If you lose your phone or security key, use a recovery code as your second step. You get ten codes. Each
      works once.
    </p>
    ${replaces && html`<p>Your current codes will stop working.</p>`}
    <form class="stack" method="post" action="${basePath}/account/security/recovery">
      ${hidden("csrf", csrf)}
      <button class="primary">${replaces ? "Create new codes" : "Show my codes"}</button>
    </form>
    <p class="note"><a href="${basePath}/account/security">Go back</a></p>`
  return renderSecurityForm(input, { title: "Recovery codes", main })
}

type RecoveryCodesInput = SignedInInput & {
  readonly host: string
  readonly codes: readonly string[]
}

export function renderRecoveryCodes(input: RecoveryCodesInput): string {
  const { basePath, username, host, codes } = input
  const main = html`<h1>Your recovery codes</h1>
    <p class="lead">
      Print them or write them down, and keep them away from your phone. They are shown only once.
    </p>
    <ol class="codes">
      ${codes.map((code) => html`<li><code>${code}</code></li>`)}
    </ol>
    <p class="note">
      For <bdi>${shownName(username, "your account")}</bdi> at <bdi>${host}</bdi>. Each code works once.
    </p>
    <p class="actions"><a class="button" href="${basePath}/account/security">I have saved them</a></p>`
  return renderSecurityForm(input, { title: "Your recovery codes", main })
}
