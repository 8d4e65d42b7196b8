/** "Confirm that it’s you", before something serious; it goes on by itself afterwards. */
import { accountField } from "./form.ts"
import { renderSecurityForm, type SignedInInput } from "./frame-signed-in.ts"
import { html } from "./html.ts"
import { hiddenFields, proofAlert, proofForms, type ProofView } from "./proof.ts"
import { shownName } from "./shown-text.ts"

export type ProveInput = SignedInInput & {
  /** What comes next, sealed; posted back as `continue`. */
  readonly continueTo: string
  readonly proof: ProofView
}

export function renderProve(input: ProveInput): string {
  const { basePath, csrf, username, continueTo, proof } = input
  const fields = [
    ...hiddenFields({ csrf, continue: continueTo }),
    proof.accepts.password && accountField(username),
  ]
  const main = html`<h1>Confirm that it’s you</h1>
    <p class="lead">
      You are signed in as <bdi>${shownName(username, "somebody without a name")}</bdi>. What comes next is
      serious, so please show once more that you are there.
    </p>
    ${proofAlert(proof)} ${proofForms(`${basePath}/account/prove`, fields, proof, { label: "Continue" })}
    <p class="note"><a href="${basePath}/account">Go back</a></p>`
  return renderSecurityForm(input, { title: "Confirm that it’s you", main, script: proof.passkey?.script })
}
