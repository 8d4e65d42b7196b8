/** "Confirm that it’s you", before something serious; it goes on by itself afterwards. */
import { accountField } from "./form.ts"
import { html } from "./html.ts"
import { type PageInput, renderDocument } from "./layout.ts"
import { hiddenFields, proofAlert, proofForms, type ProofView } from "./proof.ts"
import { shownName } from "./shown-text.ts"

export type ProveInput = PageInput & {
  readonly csrf: string
  readonly username: string
  /** What comes next, sealed; posted back as `continue`. */
  readonly continueTo: string
  readonly proof: ProofView
}

export function renderProve({ basePath, csrf, username, continueTo, proof }: ProveInput): string {
  const fields = [
    ...hiddenFields({ csrf, continue: continueTo }),
    proof.accepts.password && accountField(username),
  ]
  const main = html`<h1>Confirm that it’s you</h1>
    <p class="lead">
      Signed in as <bdi>${shownName(username, "without a name")}</bdi>. What comes next changes how your
      account is protected.
    </p>
    ${proofAlert(proof)} ${proofForms(`${basePath}/account/prove`, fields, proof, { label: "Continue" })}
    <p class="note"><a href="${basePath}/account/security">Go back</a></p>`
  return renderDocument({ basePath, title: "Confirm that it’s you", main, script: proof.passkey?.script })
}
