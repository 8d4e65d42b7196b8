/** The service's own error page. Nothing that came with the request is shown, and nothing is linked but home. */
import { type Html, html } from "../kernel/html.ts"
import { type PageInput, renderDocument } from "./layout.ts"
import { waitInWords } from "./words.ts"

export type ErrorKind =
  /** AUTHZ: the app or its redirect address is not known, so there is nowhere to return to. */
  | { readonly kind: "appUnknown" }
  /** The app was switched off, or removed while its request lay open. */
  | { readonly kind: "appGone" }
  | { readonly kind: "returnAddressUnknown" }
  | { readonly kind: "requestMalformed" }
  /** What was sent to a page is no form, or too long. */
  | { readonly kind: "formUnread" }
  /** CONSENT: the form was answered before, or lay open for too long, or came from elsewhere. */
  | { readonly kind: "consentAnswered" }
  | { readonly kind: "consentAnsweredByAnother" }
  | { readonly kind: "consentStale" }
  | { readonly kind: "formForeign" }
  /** DG-8: the page offered administration to an account that has lost it since. */
  | { readonly kind: "administrationWithdrawn" }
  /** The app lost a permission between two pages that list it. */
  | { readonly kind: "requestChanged" }
  /** STEP-5: what was to be confirmed is for an app whose access has ended. */
  | { readonly kind: "connectionEnded" }
  /** STEP-4: the app was allowed to ask for a confirmation, and is not any more. */
  | { readonly kind: "stepUpWithdrawn" }
  | { readonly kind: "notFound" }
  | { readonly kind: "throttled"; readonly retryAfterSeconds: number }
  | { readonly kind: "busy" }
  | { readonly kind: "locked" }
  | { readonly kind: "unavailable" }
  | { readonly kind: "fault" }

export type ErrorInput = PageInput & {
  readonly error: ErrorKind
  /** By which the people who run the service find in their log what happened. */
  readonly requestId?: string
}

type Words = {
  readonly title: string
  readonly text: string
  readonly advice?: string
  readonly home?: boolean
}

const atTheApp = "Go back to the app and start again. If it happens again, tell the people who make the app."

const words: { readonly [K in ErrorKind["kind"]]: (error: Extract<ErrorKind, { kind: K }>) => Words } = {
  appUnknown: () => ({
    title: "This app is not registered here",
    text: "An app sent you here to ask for access, but this service does not know it, or does not know it any more: apps that nobody uses are forgotten. Nothing was given.",
    advice:
      "The app has to register again. Go back to it, remove the connection to this service there, and connect again. If that does not help, tell the people who make the app.",
  }),
  appGone: () => ({
    title: "This app cannot be used any more",
    text: "It has been switched off or removed from this service. Nothing was given.",
  }),
  returnAddressUnknown: () => ({
    title: "This request cannot be trusted",
    text: "The app asked to send you on to an address that it has not registered here. To keep your account safe, nothing was given and you were not sent there.",
    advice: atTheApp,
  }),
  requestMalformed: () => ({
    title: "This request does not make sense",
    text: "The app sent you here with a request that is incomplete or contradicts itself. Nothing was given.",
    advice: atTheApp,
  }),
  formUnread: () => ({
    title: "This form could not be read",
    text: "What arrived is not what the page sends, or is far too long. Nothing was changed.",
    advice: "Go back, reload the page, and send it again.",
  }),
  consentAnswered: () => ({
    title: "You have answered this already",
    text: "Your first answer counts. Sending the page again has changed nothing.",
    advice: "You can close this page and go back to the app.",
  }),
  consentAnsweredByAnother: () => ({
    title: "This request was already answered",
    text: "The answer came from another account. No access to your account was granted.",
    advice: "If you wanted to connect the device yourself, ask it for a new code.",
  }),
  consentStale: () => ({
    title: "This page was open for too long",
    text: "A request for access is valid for ten minutes. Nothing was given.",
    advice: "Go back to the app and start again.",
  }),
  formForeign: () => ({
    title: "Please try that again",
    text: "We could not make sure that this answer came from you and from this browser. Nothing was changed.",
    advice: "Go back, reload the page, and send it again. Cookies must be allowed for this site.",
  }),
  administrationWithdrawn: () => ({
    title: "You are no longer an administrator",
    text: "The request includes administration of this service, and your account can no longer grant that. No access was granted.",
    advice: "To grant the rest of the request, start again from the app or the device.",
  }),
  requestChanged: () => ({
    title: "This request has changed",
    text: "The app may no longer ask for everything that the page listed. No access was granted.",
    advice: "To see what it may still ask for, enter the code of your device again.",
  }),
  connectionEnded: () => ({
    title: "This connection has ended",
    text: "This connection of the app no longer has access, so there is nothing to confirm.",
    advice: "If you want to use the app again, go back to it and connect it again.",
  }),
  stepUpWithdrawn: () => ({
    title: "This app may no longer ask you for this",
    text: "This service no longer allows the app to ask you for a confirmation. Nothing was confirmed.",
    advice: "You can close this page and go back to the app.",
  }),
  notFound: () => ({
    title: "There is nothing here",
    text: "The address may be mistyped, or the page may have moved.",
    home: true,
  }),
  throttled: ({ retryAfterSeconds }) => ({
    title: "That was a little too fast",
    text: `Too many requests came from your network. Wait ${waitInWords(retryAfterSeconds)}, then try again.`,
  }),
  busy: () => ({
    title: "The service is busy",
    text: "Too many passwords are being checked right now. Nothing was changed. Wait a few seconds, then go back and try again.",
  }),
  locked: () => ({
    title: "Not available right now",
    text: "Nothing was changed. Wait a few seconds, then go back and try again.",
  }),
  unavailable: () => ({
    title: "Not available right now",
    text: "The service cannot answer at the moment, and cannot tell whether your last step was kept. Please look again in a minute.",
  }),
  fault: () => ({
    title: "Something went wrong here",
    text: "This is our mistake, not yours. Please try again in a moment.",
    advice: "If it happens again, give this number to the people who run this service.",
  }),
}

function wordsOf<K extends ErrorKind["kind"]>(error: Extract<ErrorKind, { kind: K }>): Words {
  return words[error.kind](error)
}

export function renderError({ basePath, error, requestId }: ErrorInput): string {
  const { title, text, advice, home } = wordsOf(error)
  const request: Html | false =
    requestId !== undefined && html`<p class="note">Request number <code>${requestId}</code></p>`
  const main = html`<h1>${title}</h1>
    <p class="lead">${text}</p>
    ${advice !== undefined && html`<p>${advice}</p>`} ${request}
    ${home === true && html`<p class="actions"><a class="button" href="${basePath}/account">Go to your account</a></p>`}`
  return renderDocument({ basePath, title, main })
}
