/** What a person reads when a sign-in through a provider does not succeed, and the status of that page. */
import { type Html, html } from "../../kernel/html.ts"
import type { Texts } from "../../platform/languages/texts.ts"
import { shownName } from "../../platform/ui/shown-text.ts"
import type { SignInProvider } from "../../model/sign-in/provider.rules.ts"
import type { ProofGap } from "./upstream/fresh-sign-in.rules.ts"
import type { NotCreated } from "./upstream/claims.rules.ts"
import type { UpstreamFailure } from "./upstream/upstream-failure.ts"

export type ProviderProblem = {
  readonly status: number
  readonly text: Html
  /** The reason for the log. */
  readonly why?: string
  readonly isCanceled?: boolean
}

const statuses: Readonly<Record<UpstreamFailure["kind"], number>> = {
  unreachable: 503,
  unusable: 502,
  busy: 503,
  canceled: 403,
  refused: 502,
  misconfigured: 502,
  invalid: 502,
  stale: 403,
}

type Named = Pick<SignInProvider, "preset" | "label">

/** A person goes back to an application, and has perhaps no other way to sign in. */
export function failureInWords(
  texts: Texts,
  { preset, label }: Named,
  { kind }: Pick<UpstreamFailure, "kind">,
): ProviderProblem {
  const own = preset === "application" ? OF_APPLICATION.find((one) => one === kind) : undefined
  const key = own === undefined ? (`provider.${kind}` as const) : (`application.${own}` as const)
  const text = texts.html(key, { provider: named(label) })
  return { status: statuses[kind], text, isCanceled: kind === "canceled" }
}

const OF_APPLICATION = ["invalid", "stale", "unreachable"] as const

export function noAccountInWords(
  texts: Texts,
  label: string,
  why: NotCreated,
  nameThere: string | null,
): ProviderProblem {
  const name = shownName(nameThere ?? "", "")
  const values = { provider: named(label), named: name === "" ? "no" : "yes", name: named(name) }
  return { status: 403, text: texts.html(`provider.no-account.${why}`, values) }
}

export function refusedInWords(
  texts: Texts,
  { preset, label }: Named,
  why: "address-held" | "disabled" | "not-set-up" | "stale" | "not-yours" | ProofGap,
): ProviderProblem {
  if (why === "stale") return failureInWords(texts, { preset, label }, { kind: why })
  return { status: 403, text: texts.html(`provider.${why}`, { provider: named(label) }), why }
}

function named(name: string): Html {
  return html`<bdi>${name}</bdi>`
}
