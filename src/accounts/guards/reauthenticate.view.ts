/** "Confirm that it’s you": the re-authentication page. */
import { consoleNavigation, type Place } from "../../ui/console/navigation.ts"
import { accountField } from "../../ui/form.ts"
import {
  accountNavigation,
  type AccountPlace,
  renderSignedIn,
  type SignedInInput,
} from "../../ui/account-frame.ts"
import { html } from "../../kernel/html.ts"
import { hiddenFields, proofAlert, proofForms, type ProofView } from "../factors/proof.view.ts"
import { shownName } from "../../ui/shown-text.ts"

/** Why the page asks, and where it is in the navigation. */
export type ReauthenticationPrompt = {
  /** Completes "To …"; null without a text. */
  readonly action: string | null
  /** The current place in the navigation. */
  readonly place:
    | { readonly area: "account"; readonly here: AccountPlace }
    | { readonly area: "console"; readonly here: Place }
  /** The target of "Go back", relative to the base path. */
  readonly back: string
}

export type ProveInput = SignedInInput & {
  readonly prompt: ReauthenticationPrompt
  /** The action of the forms, relative to the base path. */
  readonly action: string
  /** The sealed hidden field that says how to continue. */
  readonly carried: { readonly name: string; readonly value: string }
  readonly proof: ProofView
}

export function renderProve(input: ProveInput): string {
  const { basePath, csrf, username, action, carried, proof, prompt } = input
  const { place, back } = prompt
  const fields = [
    ...hiddenFields({ csrf, [carried.name]: carried.value }),
    proof.accepts.password && accountField(username),
  ]
  const name = html`<bdi>${shownName(username, "this account")}</bdi>`
  const main = html`<h1>Confirm that it’s you</h1>
    <p class="lead">
      ${prompt.action === null ? "Before you go on," : html`To <strong>${prompt.action}</strong>,`} confirm
      that you are ${name}.
    </p>
    ${proofAlert(proof)} ${proofForms(basePath + action, fields, proof, { label: "Continue" })}
    <p class="note"><a href="${basePath}${back}">Go back</a></p>`
  return renderSignedIn(input, {
    title: "Confirm that it’s you",
    main,
    isNarrow: true,
    script: proof.passkey?.script,
    ...(place.area === "account"
      ? { navigation: accountNavigation(input, place.here) }
      : { navigation: consoleNavigation(place.here), breadth: "broad" }),
  })
}
