/**
 * The texts of all mails, in the language of the recipient. A mail has no text that a person or an app has chosen, so
 * that it cannot be used to write to strangers. Links begin with the configured base URL. MAIL-8.
 */
import type { MailKind } from "../../../model/mail/mail.rules.ts"
import type { Language, TextKey, Texts } from "../../languages/texts.ts"

/** What a mail may call an app: its verified name, the host of its addresses, or nothing. */
export type MailApp = { readonly known: "name" | "host" | "nothing"; readonly app: string }

type MessageOccasion = {
  readonly operator: string
  readonly baseUrl: string
  /** The time in words, in UTC. */
  readonly when: string
}

export type MessageFacts = MessageOccasion & {
  readonly networkAddress: string | null
  readonly app: MailApp
  /** The secret of the link, or null. */
  readonly secret: string | null
}

export type Message = {
  readonly language: Pick<Language, "tag" | "direction">
  readonly subject: string
  readonly heading: string
  readonly paragraphs: readonly string[]
  /** Each name ends with its colon. */
  readonly facts: readonly (readonly [name: string, value: string])[]
  readonly action: { readonly label: string; readonly url: string }
  readonly last: string
}

/** Each mail begins with the text `mail.KIND.what`. */
type Words = {
  readonly more?: readonly TextKey[]
  readonly action: readonly [label: TextKey, path: string]
  readonly last: TextKey
}

const SECURITY = ["mail.open-security", "/account/security"] as const
const APPS = ["mail.see-apps", "/account"] as const

const invited = (secret: string | null): Words => ({
  more: ["mail.invited.then"],
  action: ["mail.invited.button", `/invitation?link=${secret}`],
  last: "mail.invited.last",
})

const words: { readonly [K in MailKind]: (secret: string | null) => Words } = {
  "confirm-address": (secret) => ({
    more: ["mail.confirm-address.then"],
    action: ["mail.confirm-address.button", `/email/confirm?link=${secret}`],
    last: "mail.ignore",
  }),
  recover: (secret) => ({
    action: ["mail.recover.button", `/recover?link=${secret}`],
    last: "mail.ignore",
  }),
  "address-added": () => ({ action: SECURITY, last: "mail.address-added.last" }),
  "address-changed": (secret) =>
    secret === null
      ? { more: ["mail.address-changed.by-administrator"], action: SECURITY, last: "mail.ask-operator" }
      : {
          action: ["mail.address-changed.not-me", `/email/restore?link=${secret}`],
          last: "mail.address-changed.last",
        },
  "address-restored": () => ({
    more: ["mail.address-restored.how"],
    action: SECURITY,
    last: "mail.ask-operator",
  }),
  "password-changed": () => ({ action: SECURITY, last: "mail.password-changed.last" }),
  "signed-in": () => ({ action: SECURITY, last: "mail.not-you" }),
  "app-connected": () => ({ action: APPS, last: "mail.app-connected.last" }),
  "factor-added": () => ({ action: SECURITY, last: "mail.not-you" }),
  "factor-removed": () => ({ action: SECURITY, last: "mail.not-you" }),
  invited,
  "invited-administrator": invited,
  "token-reused": () => ({ action: APPS, last: "mail.token-reused.last" }),
}

export function messageOf(texts: Texts, kind: MailKind, facts: MessageFacts): Message {
  const { operator, baseUrl, when, networkAddress, app, secret } = facts
  const { more = [], action, last } = words[kind](secret)
  const [label, path] = action
  const heading = texts.plain(`mail.${kind}.heading`)
  const shown: [string, string][] = [[texts.plain("mail.time"), when]]
  if (networkAddress !== null) shown.push([texts.plain("mail.network-address"), networkAddress])
  return {
    language: texts.language,
    subject: texts.plain("mail.subject", { heading, operator }),
    heading,
    paragraphs: [`mail.${kind}.what` as const, ...more].map((key) => texts.plain(key, app)),
    facts: shown,
    action: { label: texts.plain(label), url: baseUrl + path },
    last: texts.plain(last),
  }
}

/** The operator sends it, so it is in English, as the commands are. */
export function testMessage({ operator, baseUrl, when }: MessageOccasion): Message {
  return {
    language: { tag: "en", direction: "ltr" },
    subject: `Test – ${operator}`,
    heading: "This service can send e-mail",
    paragraphs: ["This is a test. The operator sent it from the command line."],
    facts: [["Time:", when]],
    action: { label: "Open the service", url: `${baseUrl}/account` },
    last: "You need not do anything.",
  }
}
