/** Renders the second step of a sign-in, after the password or a provider. */
import { html } from "../../kernel/html.ts"
import { type PageInput, renderDocument } from "../../platform/ui/layout.ts"
import { hiddenFields, proofAlert, proofForms, type ProofView } from "../factors/proof.view.ts"
import { type WayOut, wayOutOf } from "./way-out.view.ts"

const ACTION = "/sign-in/code"

export type SecondStepInput = PageInput & {
  readonly csrf: string
  /** The sealed ticket of the first step, sent as `ticket`. */
  readonly ticket: string
  /** The sealed destination after sign-in, sent as `continue`. */
  readonly continueTo: string | null
  readonly proof: ProofView
  readonly wayOut?: WayOut
}

export function renderSecondStep(input: SecondStepInput): string {
  const { basePath, csrf, ticket, continueTo, proof, texts } = input
  const fields = hiddenFields({ csrf, ticket, continue: continueTo })
  const main = html`<h1>${texts.html("second-step.heading")}</h1>
    <p class="lead">${texts.html("second-step.lead")}</p>
    ${proofAlert(texts, proof)}
    ${proofForms(texts, basePath + ACTION, fields, proof, { label: texts.plain("sign-in.button") })}
    ${wayOutOf(input, ACTION, texts.html("second-step.start-over"))}`
  const script = proof.passkey?.script
  return renderDocument(input, { title: texts.plain("second-step.title"), main, script })
}
