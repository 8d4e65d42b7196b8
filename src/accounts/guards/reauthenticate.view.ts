/** Renders the re-authentication page, "Confirm that it’s you". */
import { consoleNavigation, type Place } from "../../platform/ui/console/navigation.ts"
import { accountField } from "../../platform/ui/form.ts"
import {
  accountNavigation,
  type AccountPlace,
  renderSignedIn,
  type SignedInInput,
} from "../../platform/ui/account-frame.ts"
import { type Html, html } from "../../kernel/html.ts"
import { type ProviderButton, provingForm } from "../factors/provider-buttons.view.ts"
import { hasNoProof, hiddenFields, proofAlert, proofForms, type ProofView } from "../factors/proof.view.ts"
import { shownName } from "../../platform/ui/shown-text.ts"

export type ReauthenticationPrompt = {
  /** The words after "To" in the prompt, such as "add a passkey". It is null if the page names no action. */
  readonly action: string | null
  /** The entry of the navigation that is marked as current. */
  readonly place:
    | { readonly area: "account"; readonly here: AccountPlace }
    | { readonly area: "console"; readonly here: Place }
  /** The target of the link "Go back", relative to the base path. */
  readonly back: string
}

export type ProveInput = SignedInInput & {
  readonly prompt: ReauthenticationPrompt
  /** The URL that the forms send to, relative to the base path. */
  readonly action: string
  /** A sealed hidden field that contains the destination or the interrupted form. */
  readonly carried: { readonly name: string; readonly value: string }
  readonly proof: ProofView
  /** The providers with which the account can sign in again. */
  readonly providers: readonly ProviderButton[]
  /** The sealed page that the browser visits after such a sign-in. */
  readonly continueTo: string
}

/** Signing in again at a provider. An interrupted form is not sent again afterwards. */
function proveWithForm({ basePath, csrf, providers, continueTo, texts }: ProveInput): Html | null {
  const fields = hiddenFields({ csrf, continue: continueTo })
  const of = { look: "quiet", words: "prove.with-provider" } as const
  return provingForm(texts, `${basePath}/account/prove/with`, fields, providers, of)
}

export function renderProve(input: ProveInput): string {
  const { basePath, csrf, username, action, carried, proof, prompt, texts } = input
  const { place, back } = prompt
  const fields = [
    ...hiddenFields({ csrf, [carried.name]: carried.value }),
    proof.accepts.password && accountField(input.texts, username),
  ]
  const account = html`<bdi>${shownName(username, texts.plain("prove.nameless-account"))}</bdi>`
  const to = prompt.action
  const main = html`<h1>${texts.html("prove.title")}</h1>
    <p class="lead">
      ${to === null ? texts.html("prove.lead", { account }) : texts.html("prove.lead-to", { account, action: html`<strong>${to}</strong>` })}
    </p>
    ${proofAlert(texts, proof)}
    ${proofForms(texts, basePath + action, fields, proof, { label: texts.plain("common.continue") })}
    ${hasNoProof(proof) && input.providers.length === 0 && html`<p class="note">${texts.html("prove.no-proof")}</p>`}
    ${proveWithForm(input)}
    <p class="note"><a href="${basePath}${back}">${texts.html("prove.back")}</a></p>`
  return renderSignedIn(input, {
    title: texts.plain("prove.title"),
    main,
    isNarrow: true,
    script: proof.passkey?.script,
    ...(place.area === "account"
      ? { navigation: accountNavigation(input, place.here) }
      : { navigation: consoleNavigation(place.here), breadth: "broad" }),
  })
}
