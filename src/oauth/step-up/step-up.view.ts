/** The page that elevates an app's credential for a limited time: STEP-2. It asks for a factor. */
import { accountField, hidden } from "../../platform/ui/form.ts"
import { type Html, html } from "../../kernel/html.ts"
import { type PageInput, renderDocument } from "../../platform/ui/layout.ts"
import { type AppView, appTile } from "../../platform/ui/monogram.ts"
import {
  hasNoProof,
  hiddenFields,
  proofAlert,
  proofForms,
  type ProofView,
} from "../../accounts/factors/proof.view.ts"
import { shownName } from "../../platform/ui/shown-text.ts"
import { agoInWords, lifetimeInWords } from "../../platform/ui/words.ts"

type StepUpInput = PageInput & {
  readonly app: AppView
  readonly username: string
  readonly installationName: string | null
  /** The reason that the app gives for the step-up. */
  readonly reason: string | null
  readonly userCode: string
  readonly address: string
  readonly askedSecondsAgo: number
  readonly windowSeconds: number
  readonly ticket: string
  readonly csrf: string
  readonly proof: ProofView
}

function says(reason: string): Html {
  return html`<blockquote class="says">
    <p><bdi>${shownName(reason, "", 140)}</bdi></p>
    <footer class="note">in the app’s own words</footer>
  </blockquote>`
}

function comparison({ texts, userCode, address, askedSecondsAgo }: StepUpInput): Html {
  return html`<section class="compare" aria-labelledby="compare">
    <h2 id="compare">Does the app show this code?</h2>
    <p class="user-code"><code>${userCode}</code></p>
    <p class="note">
      It asked ${agoInWords(texts, askedSecondsAgo)} from the network address <bdi>${address}</bdi>.
    </p>
  </section>`
}

const NO_PROOF =
  "Your account has no password. Set one or add a passkey under Sign-in and security, then come back."

export function renderStepUp(input: StepUpInput): string {
  const { basePath, app, username, installationName, reason, windowSeconds, ticket, csrf, proof } = input
  const action = `${basePath}/oauth/consent`
  const fields = [
    hiddenFields({ ticket, csrf }),
    proof.accepts.password && accountField(input.texts, username),
  ]
  const name = shownName(app.name, "An app without a name")
  const main = html`${appTile(basePath, app)}
    <h1><bdi class="name">${name}</bdi> asks you to confirm that it’s you</h1>
    <p class="lead">
      It has access to your account as <bdi>${shownName(username, "you")}</bdi>
      ${installationName !== null && html`(<bdi>${shownName(installationName, "", 100)}</bdi>)`} and wants to
      do something that you must confirm. It gets no new permissions. The confirmation lasts
      ${lifetimeInWords(windowSeconds)}.
    </p>
    ${reason !== null && says(reason)} ${comparison(input)} ${proofAlert(input.texts, proof)}
    ${hasNoProof(proof) && html`<p class="note">${NO_PROOF}</p>`}
    ${proofForms(input.texts, action, fields, proof, { label: "Authorize", sends: ["decision", "authorize"] })}
    <form class="stack" method="post" action="${action}">
      ${hidden("ticket", ticket)}${hidden("csrf", csrf)}
      <button class="quiet" name="decision" value="refuse">Refuse</button>
    </form>`
  return renderDocument(input, {
    title: "Confirm that it’s you",
    main,
    decides: true,
    script: proof.passkey?.script,
  })
}
