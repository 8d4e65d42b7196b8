/** The page that elevates an app's credential for a limited time: STEP-2. It asks for a factor. */
import { accountField, hidden } from "../../platform/ui/form.ts"
import { appName } from "../../platform/ui/app-line.ts"
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
import { type ProviderButton, provingForm } from "../../accounts/factors/provider-buttons.view.ts"
import { lifetimeOf } from "../../platform/languages/span.rules.ts"
import type { Texts } from "../../platform/languages/texts.ts"
import { shownName } from "../../platform/ui/shown-text.ts"
import { agoInWords } from "../../platform/ui/instant.ts"

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
  /** The providers with which the account can prove itself. */
  readonly providers: readonly ProviderButton[]
}

function says(texts: Texts, reason: string): Html {
  return html`<blockquote class="says">
    <p><bdi>${shownName(reason, "", 140)}</bdi></p>
    <footer class="note">${texts.html("step-up.own-words")}</footer>
  </blockquote>`
}

function comparison({ texts, userCode, address, askedSecondsAgo }: StepUpInput): Html {
  return html`<section class="compare" aria-labelledby="compare">
    <h2 id="compare">${texts.html("step-up.code")}</h2>
    <p class="user-code"><code>${userCode}</code></p>
    <p class="note">
      ${texts.html("step-up.asked", { ago: agoInWords(texts, askedSecondsAgo), address: html`<bdi>${address}</bdi>` })}
    </p>
  </section>`
}

function lead({ texts, username, installationName, windowSeconds }: StepUpInput): Html {
  const account = html`<bdi>${shownName(username, texts.plain("common.you"))}</bdi>`
  const label = html`<bdi>${shownName(installationName ?? "", "", 100)}</bdi>`
  const what = installationName === null ? "step-up.lead" : "step-up.lead-with-label"
  const first = texts.html(what, { account, label })
  const second = texts.html("step-up.lasts", lifetimeOf(windowSeconds))
  return html`<p class="lead">${texts.html("common.two-sentences", { first, second })}</p>`
}

/** A button for each provider, where a new sign-in proves that it is the account holder. */
function providersForm({ texts, ticket, csrf, proof, providers }: StepUpInput, action: string): Html | null {
  const fields = hiddenFields({ ticket, csrf, decision: "authorize" })
  const of = { look: hasNoProof(proof) ? "primary" : "quiet", words: "sign-in.with-provider" } as const
  return provingForm(texts, action, fields, providers, of)
}

export function renderStepUp(input: StepUpInput): string {
  const { basePath, texts, app, username, reason, ticket, csrf, proof } = input
  const action = `${basePath}/oauth/consent`
  const fields = [hiddenFields({ ticket, csrf }), proof.accepts.password && accountField(texts, username)]
  const name = html`<bdi class="name">${appName(texts, app)}</bdi>`
  const title = texts.plain("step-up.title")
  const main = html`${appTile(basePath, app)}
    <h1>${texts.html("step-up.heading", { app: name })}</h1>
    ${lead(input)} ${reason !== null && says(texts, reason)} ${comparison(input)} ${proofAlert(texts, proof)}
    ${hasNoProof(proof) && input.providers.length === 0 && html`<p class="note">${texts.html("step-up.no-proof")}</p>`}
    ${proofForms(texts, action, fields, proof, { label: texts.plain("step-up.confirm"), sends: ["decision", "authorize"] })}
    ${providersForm(input, action)}
    <form class="stack" method="post" action="${action}">
      ${hidden("ticket", ticket)}${hidden("csrf", csrf)}
      <button class="quiet" name="decision" value="refuse">${texts.html("consent.refuse")}</button>
    </form>`
  return renderDocument(input, {
    title,
    main,
    decides: true,
    script: proof.passkey?.script,
  })
}
