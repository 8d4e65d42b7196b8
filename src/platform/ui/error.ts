/**
 * The error pages. They link only to the account page, and show nothing from the request but an address to which the
 * person was not sent, as text.
 */
import { type Html, html } from "../../kernel/html.ts"
import { waitOf } from "../languages/span.rules.ts"
import type { TextKey, Texts } from "../languages/texts.ts"
import { type PageInput, renderDocument } from "./layout.ts"
import { buttonLink } from "./parts.ts"

export type ErrorKind =
  /** The app is unknown, so there is no redirect URI to return to. AUTHZ. */
  | { readonly kind: "appUnknown" }
  /** The app was disabled or removed while its page was open. */
  | { readonly kind: "appGone" }
  /** The document of the app could not be read, or its host may not publish documents. CD. */
  | { readonly kind: "documentUnavailable" }
  | { readonly kind: "documentNotAllowed" }
  | { readonly kind: "documentChanged" }
  /** The address is missing if the app lost it while its page was open. */
  | { readonly kind: "returnAddressUnknown"; readonly address?: string }
  | { readonly kind: "requestMalformed"; readonly problem?: MalformedParameter }
  /** OIDC-13, OIDC-14. */
  | { readonly kind: "signOutMalformed" }
  /** The request body is not a form, or it is too long. */
  | { readonly kind: "formUnread" }
  /** The request was answered before, or expired, or the form came from another site. CONSENT. */
  | { readonly kind: "consentAnswered" }
  | { readonly kind: "consentAnsweredByAnother" }
  | { readonly kind: "consentStale" }
  | { readonly kind: "formForeign" }
  /** The account stopped being an administrator while the page was open. DG-8. */
  | { readonly kind: "administrationWithdrawn" }
  /** The account left the groups that the app, or everything on the page, is for. GROUP-5. */
  | { readonly kind: "groupsWithdrawn" }
  /** The app lost a permission between two pages that list it. */
  | { readonly kind: "requestChanged" }
  /** The credential for which the app requested the step-up has ended. STEP-5. */
  | { readonly kind: "connectionEnded" }
  /** The app may no longer ask for a step-up. STEP-4. */
  | { readonly kind: "stepUpWithdrawn" }
  | { readonly kind: "notFound" }
  | { readonly kind: "throttled"; readonly retryAfterSeconds: number }
  | { readonly kind: "busy" }
  | { readonly kind: "locked" }
  | { readonly kind: "unavailable" }
  | { readonly kind: "fault" }

export type MalformedParameter = {
  readonly parameter: string
  readonly problem: "missing" | "repeated" | "malformed"
}

type ErrorInput = PageInput & {
  readonly error: ErrorKind
  /** The id that finds the request in the log. */
  readonly requestId?: string
}

/** For each kind, the name that its texts begin with, and its advice. */
const pages = {
  appUnknown: ["app-unknown", "error.app-unknown.advice"],
  appGone: ["app-gone", null],
  documentUnavailable: ["document-unavailable", "error.document-unavailable.advice"],
  documentNotAllowed: ["document-not-allowed", "error.document-not-allowed.advice"],
  documentChanged: ["document-changed", "error.document-changed.advice"],
  returnAddressUnknown: ["return-address-unknown", "error.at-the-app"],
  requestMalformed: ["request-malformed", "error.at-the-app"],
  signOutMalformed: ["sign-out-malformed", "error.at-the-app"],
  formUnread: ["form-unread", "error.form-unread.advice"],
  consentAnswered: ["consent-answered", "error.consent-answered.advice"],
  consentAnsweredByAnother: ["consent-answered-by-another", "error.consent-answered-by-another.advice"],
  consentStale: ["consent-stale", "error.consent-stale.advice"],
  formForeign: ["form-foreign", "error.form-foreign.advice"],
  administrationWithdrawn: ["administration-withdrawn", "error.administration-withdrawn.advice"],
  groupsWithdrawn: ["groups-withdrawn", "error.groups-withdrawn.advice"],
  requestChanged: ["request-changed", "error.request-changed.advice"],
  connectionEnded: ["connection-ended", "error.connection-ended.advice"],
  stepUpWithdrawn: ["step-up-withdrawn", "error.step-up-withdrawn.advice"],
  notFound: ["not-found", null],
  throttled: ["throttled", null],
  busy: ["busy", null],
  locked: ["locked", null],
  unavailable: ["unavailable", null],
  fault: ["fault", "error.fault.advice"],
} as const satisfies Record<ErrorKind["kind"], readonly [name: string, advice: TextKey | null]>

function textOf(texts: Texts, error: ErrorKind): Html {
  if (error.kind === "throttled") return texts.html("error.throttled.text", waitOf(error.retryAfterSeconds))
  if (error.kind === "requestMalformed" && error.problem !== undefined) {
    const { parameter, problem } = error.problem
    return texts.html(`error.request-malformed.${problem}`, { parameter })
  }
  return texts.html(`error.${pages[error.kind][0]}.text`)
}

/** Names the request as the log does. */
export function requestNote(texts: Texts, requestId: string): Html {
  const number = html`<code>${requestId}</code>`
  return html`<p class="note">${texts.html("error.request", { number })}</p>`
}

export function renderError(input: ErrorInput): string {
  const { basePath, look, texts, error, requestId } = input
  const [name, advice] = pages[error.kind]
  const title = texts.plain(`error.${name}.title`)
  const address = error.kind === "returnAddressUnknown" ? error.address : undefined
  const code = (text: string) => html`<code>${text}</code>`
  const main = html`<h1>${title}</h1>
    <p class="lead">${textOf(texts, error)}</p>
    ${address !== undefined && html`<p>${texts.html("error.address", { address: code(address) })}</p>`}
    ${advice !== null && html`<p>${texts.html(advice, { service: look.name })}</p>`}
    ${requestId !== undefined && requestNote(texts, requestId)}
    ${error.kind === "notFound" && buttonLink(`${basePath}/account`, texts.html("common.to-account"))}`
  return renderDocument(input, { title, main })
}
