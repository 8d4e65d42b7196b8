/** Renders the second step of a sign-in, after the password or a provider. */
import { html } from "../../kernel/html.ts"
import { type PageInput, renderDocument } from "../../platform/ui/layout.ts"
import { signInPath } from "./continuation.ts"
import { hiddenFields, proofAlert, proofForms, type ProofView } from "../factors/proof.view.ts"

export type SecondStepInput = PageInput & {
  readonly csrf: string
  /** The sealed ticket of the first step, sent as `ticket`. */
  readonly ticket: string
  /** The sealed destination after sign-in, sent as `continue`. */
  readonly continueTo: string | null
  readonly proof: ProofView
}

export function renderSecondStep(input: SecondStepInput): string {
  const { basePath, csrf, ticket, continueTo, proof } = input
  const fields = hiddenFields({ csrf, ticket, continue: continueTo })
  const main = html`<h1>One more step</h1>
    <p class="lead">The first step is done. Now confirm that it’s you.</p>
    ${proofAlert(proof)} ${proofForms(`${basePath}/sign-in/code`, fields, proof, { label: "Sign in" })}
    <p class="note"><a href="${basePath}${signInPath(continueTo)}">Start over with another account</a></p>`
  const script = proof.passkey?.script
  return renderDocument(input, { title: "Second step", main, script })
}
