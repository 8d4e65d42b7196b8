/**
 * The error pages. They link only to the account page, and show nothing from the request but an address to which the
 * person was not sent, as text.
 */
import { type Html, html } from "../../kernel/html.ts"
import { type PageInput, renderDocument } from "./layout.ts"
import { waitInWords } from "./words.ts"

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
  /** `problem` names the parameter, such as "redirect_uri is missing". */
  | { readonly kind: "requestMalformed"; readonly problem?: string }
  /** The request body is not a form, or it is too long. */
  | { readonly kind: "formUnread" }
  /** The request was answered before, or expired, or the form came from another site. CONSENT. */
  | { readonly kind: "consentAnswered" }
  | { readonly kind: "consentAnsweredByAnother" }
  | { readonly kind: "consentStale" }
  | { readonly kind: "formForeign" }
  /** The account stopped being an administrator while the page was open. DG-8. */
  | { readonly kind: "administrationWithdrawn" }
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

type ErrorInput = PageInput & {
  readonly error: ErrorKind
  /** The id that finds the request in the log. */
  readonly requestId?: string
}

type Words = {
  readonly title: string
  readonly text: string
  /** An address of an app, which no browser may follow. */
  readonly address?: string | undefined
  readonly advice?: string
  readonly home?: boolean
}

const atTheApp = "Go back to the app and start again. If it happens again, contact the app’s developer."

const words: { readonly [K in ErrorKind["kind"]]: (error: Extract<ErrorKind, { kind: K }>) => Words } = {
  appUnknown: () => ({
    title: "This app is not registered here",
    text: "An app sent you here to ask for access, but it is not registered with this service. Apps that are not used are removed. No access was granted.",
    advice:
      "Go back to the app, remove its connection to this service, and connect again. If that does not help, contact the app’s developer.",
  }),
  appGone: () => ({
    title: "This app is no longer available",
    text: "It was disabled or removed. No access was granted.",
  }),
  documentUnavailable: () => ({
    title: "This app could not be checked",
    text: "The app describes itself at a web address of its own. That description could not be read, or it is not valid. No access was granted.",
    advice: "Wait a minute and try again. If it happens again, contact the app’s developer.",
  }),
  documentNotAllowed: () => ({
    title: "This app is not allowed here",
    text: "The app describes itself at a web address that this service does not allow. No access was granted.",
    advice: "If you need the app, ask the administrator of this service.",
  }),
  documentChanged: () => ({
    title: "This app has changed",
    text: "The description of the app changed while the page was open. No access was granted.",
    advice: "To see what changed, start again from the app, or enter your device’s code again.",
  }),
  returnAddressUnknown: ({ address }) => ({
    title: "This request cannot be trusted",
    text: "The app asked to send you to an address that is not registered for it. To protect your account, you were not sent there. No access was granted.",
    address,
    advice: atTheApp,
  }),
  requestMalformed: ({ problem }) => ({
    title: "This request is not valid",
    text: `The app’s request is incomplete or contradicts itself${problem === undefined ? "" : `: ${problem}`}. No access was granted.`,
    advice: atTheApp,
  }),
  formUnread: () => ({
    title: "This form could not be read",
    text: "The form was incomplete or too long. Nothing was changed.",
    advice: "Go back, reload the page and try again.",
  }),
  consentAnswered: () => ({
    title: "You have already answered",
    text: "Your first answer counts. Nothing was changed this time.",
    advice: "You can close this page and go back to the app.",
  }),
  consentAnsweredByAnother: () => ({
    title: "This request was already answered",
    text: "The answer came from another account. No access to your account was granted.",
    advice: "If you wanted to connect the device yourself, ask it for a new code.",
  }),
  consentStale: () => ({
    title: "This page has expired",
    text: "A request for access is valid for ten minutes. No access was granted.",
    advice: "Go back to the app and start again.",
  }),
  formForeign: () => ({
    title: "Please try again",
    text: "We could not confirm that this form came from you. Nothing was changed.",
    advice: "Go back, reload the page and try again. Cookies must be allowed for this site.",
  }),
  administrationWithdrawn: () => ({
    title: "You are no longer an administrator",
    text: "The request includes administration of this service, and your account can no longer grant that. No access was granted.",
    advice: "To grant the rest, start again from the app or the device.",
  }),
  requestChanged: () => ({
    title: "This request has changed",
    text: "The app may no longer ask for everything that the page listed. No access was granted.",
    advice: "To see what it may still ask for, enter your device’s code again.",
  }),
  connectionEnded: () => ({
    title: "This connection has ended",
    text: "The app no longer has access, so there is nothing to confirm.",
    advice: "To use the app again, go back to it and connect it again.",
  }),
  stepUpWithdrawn: () => ({
    title: "This app can no longer ask you to confirm",
    text: "The service no longer allows it. Nothing was confirmed.",
    advice: "You can close this page and go back to the app.",
  }),
  notFound: () => ({
    title: "Page not found",
    text: "Check the address. The page may have moved or been removed.",
    home: true,
  }),
  throttled: ({ retryAfterSeconds }) => ({
    title: "Too many requests",
    text: `Too many requests came from your network. Wait ${waitInWords(retryAfterSeconds)}, then try again.`,
  }),
  busy: () => ({
    title: "The service is busy",
    text: "Too many people are signing in right now. Nothing was changed. Wait a few seconds, then go back and try again.",
  }),
  locked: () => ({
    title: "Not available right now",
    text: "Nothing was changed. Wait a few seconds, then go back and try again.",
  }),
  unavailable: () => ({
    title: "Not available right now",
    text: "The service cannot answer right now. Your last step may not have been saved. Check again in a minute.",
  }),
  fault: () => ({
    title: "Something went wrong",
    text: "This is our mistake, not yours. Try again in a moment.",
    advice: "If it happens again, give this number to the people who run this service.",
  }),
}

function wordsOf<K extends ErrorKind["kind"]>(error: Extract<ErrorKind, { kind: K }>): Words {
  return words[error.kind](error)
}

export function renderError(input: ErrorInput): string {
  const { basePath, error, requestId } = input
  const { title, text, address, advice, home } = wordsOf(error)
  const request: Html | false =
    requestId !== undefined && html`<p class="note">Request number <code>${requestId}</code></p>`
  const main = html`<h1>${title}</h1>
    <p class="lead">${text}</p>
    ${address !== undefined && html`<p>The address: <code>${address}</code></p>`}
    ${advice !== undefined && html`<p>${advice}</p>`} ${request}
    ${home === true && html`<p class="actions"><a class="button" href="${basePath}/account">Go to your account</a></p>`}`
  return renderDocument(input, { title, main })
}
