/**
 * The texts of all mails. A mail has no text that a person or an app has chosen, so that it cannot be used to write to
 * strangers. Links begin with the configured base URL. MAIL-8.
 */
import type { MailKind } from "../../../model/mail/mail.rules.ts"

export type MessageFacts = {
  readonly operator: string
  readonly baseUrl: string
  /** The time in words, in UTC. */
  readonly when: string
  readonly networkAddress: string | null
  /** The app in words, such as `Paperclip`, `an app at app.example`, or `an app`. */
  readonly app: string
  /** The secret of the link, or null. */
  readonly secret: string | null
}

export type Message = {
  readonly subject: string
  readonly heading: string
  readonly paragraphs: readonly string[]
  readonly facts: readonly (readonly [name: string, value: string])[]
  readonly action: { readonly label: string; readonly url: string }
  readonly last: string
}

type Words = Pick<Message, "heading" | "paragraphs"> & {
  readonly action: readonly [label: string, path: string]
  readonly last: string
}

const SECURITY = ["Open sign-in and security", "/account/security"] as const
const APPS = ["See apps and devices", "/account"] as const
const NOT_YOU = "If that was not you, change your password and sign every other browser out."
const IGNORE = "If you did not ask for this, ignore this mail. Nothing changes."

const words: { readonly [K in MailKind]: (facts: MessageFacts) => Words } = {
  "confirm-address": ({ secret }) => ({
    heading: "Confirm your e-mail address",
    paragraphs: [
      "This address was entered for an account. Confirm that it is yours within an hour.",
      "Notices about the account and links for a new password will then come here.",
    ],
    action: ["Confirm this address", `/email/confirm?link=${secret}`],
    last: IGNORE,
  }),
  recover: ({ secret }) => ({
    heading: "Set a new password",
    paragraphs: [
      "A new password was asked for. The link works once, within half an hour. If your account has a second step, you need it too.",
    ],
    action: ["Set a new password", `/recover?link=${secret}`],
    last: IGNORE,
  }),
  "address-added": () => ({
    heading: "Your address was added to an account",
    paragraphs: ["Notices about the account and links for a new password now come here."],
    action: SECURITY,
    last: "If you have no account here, tell the operator of this service.",
  }),
  "address-changed": ({ secret }) => ({
    heading: "The e-mail address of your account was changed",
    paragraphs: [
      "Mail about your account no longer comes here.",
      ...(secret === null ? ["An administrator of this service made the change."] : []),
    ],
    action: secret === null ? SECURITY : ["That was not me", `/email/restore?link=${secret}`],
    last:
      secret === null
        ? "If you do not know why, ask the operator of this service."
        : "If that was you, do nothing. Within seven days, the link brings this address back and signs every browser out.",
  }),
  "address-restored": () => ({
    heading: "The e-mail address of your account was changed",
    paragraphs: [
      "Mail about your account no longer comes here.",
      "The address from before was brought back, with the link that it got when it was replaced.",
    ],
    action: SECURITY,
    last: "If you do not know why, ask the operator of this service.",
  }),
  "password-changed": () => ({
    heading: "Your password was changed",
    paragraphs: ["Every other browser was signed out."],
    action: SECURITY,
    last: "If that was not you, get a new one with “Forgot your password?” on the sign-in page, or ask the operator for help.",
  }),
  "signed-in": () => ({
    heading: "A new browser signed in",
    paragraphs: ["Your account was used in a browser that had not signed in before."],
    action: SECURITY,
    last: NOT_YOU,
  }),
  "app-connected": ({ app }) => ({
    heading: "An app was connected",
    paragraphs: [`You allowed ${app} to use your account. It keeps this access until you end it.`],
    action: APPS,
    last: "If that was not you, end its access and change your password.",
  }),
  "factor-added": () => ({
    heading: "A way to sign in was added",
    paragraphs: ["Your account has another second step or another connected account."],
    action: SECURITY,
    last: NOT_YOU,
  }),
  "factor-removed": () => ({
    heading: "A way to sign in was removed",
    paragraphs: ["Your account has lost a second step or a connected account."],
    action: SECURITY,
    last: NOT_YOU,
  }),
  "token-reused": ({ app }) => ({
    heading: "An app was signed out",
    paragraphs: [
      `A key of ${app} was used a second time. It may have been copied, so the access was ended. Sign in to the app again.`,
    ],
    action: APPS,
    last: "If this happens again, tell the people who make the app.",
  }),
}

export function messageOf(kind: MailKind, facts: MessageFacts): Message {
  const { action, ...shown } = words[kind](facts)
  const [label, path] = action
  return {
    ...shown,
    subject: `${shown.heading} – ${facts.operator}`,
    facts: [
      ["Time", facts.when],
      ...(facts.networkAddress === null ? [] : [["Network address", facts.networkAddress] as const]),
    ],
    action: { label, url: facts.baseUrl + path },
  }
}

export function testMessage({
  operator,
  baseUrl,
  when,
}: Pick<MessageFacts, "operator" | "baseUrl" | "when">): Message {
  return {
    subject: `Test – ${operator}`,
    heading: "This service can send e-mail",
    paragraphs: ["This is a test. The operator sent it from the command line."],
    facts: [["Time", when]],
    action: { label: "Open the service", url: `${baseUrl}/account` },
    last: "You need not do anything.",
  }
}
