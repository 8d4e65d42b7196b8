/**
 * The texts of all mails, in the language of the recipient. A mail has no text that a person or an app has chosen, so
 * that it cannot be used to write to strangers. Links begin with the configured base URL. MAIL-8.
 */
import type { MailKind } from "../../../model/mail/mail.rules.ts"
import type { Language, TextKey, Texts } from "../../languages/texts.ts"

/** What a mail may call an app: its verified name, the host of its addresses, or nothing. */
export type MailApp = { readonly known: "name" | "host" | "nothing"; readonly app: string }

export type MessageFacts = {
  readonly operator: string
  readonly baseUrl: string
  /** The time in words, in UTC. */
  readonly when: string
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

type Words = {
  readonly paragraphs: readonly TextKey[]
  readonly action: readonly [label: TextKey, path: string]
  readonly last: TextKey
}

const SECURITY = ["mail.open-security", "/account/security"] as const
const APPS = ["mail.see-apps", "/account"] as const

const words: { readonly [K in MailKind]: (secret: string | null) => Words } = {
  "confirm-address": (secret) => ({
    paragraphs: ["mail.confirm-address.what", "mail.confirm-address.then"],
    action: ["mail.confirm-address.button", `/email/confirm?link=${secret}`],
    last: "mail.ignore",
  }),
  recover: (secret) => ({
    paragraphs: ["mail.recover.what"],
    action: ["mail.recover.button", `/recover?link=${secret}`],
    last: "mail.ignore",
  }),
  "address-added": () => ({
    paragraphs: ["mail.address-added.what"],
    action: SECURITY,
    last: "mail.address-added.last",
  }),
  "address-changed": (secret) => ({
    paragraphs: [
      "mail.address-changed.what",
      ...(secret === null ? (["mail.address-changed.by-administrator"] as const) : []),
    ],
    action: secret === null ? SECURITY : ["mail.address-changed.not-me", `/email/restore?link=${secret}`],
    last: secret === null ? "mail.ask-operator" : "mail.address-changed.last",
  }),
  "address-restored": () => ({
    paragraphs: ["mail.address-restored.what", "mail.address-restored.how"],
    action: SECURITY,
    last: "mail.ask-operator",
  }),
  "password-changed": () => ({
    paragraphs: ["mail.password-changed.what"],
    action: SECURITY,
    last: "mail.password-changed.last",
  }),
  "signed-in": () => ({ paragraphs: ["mail.signed-in.what"], action: SECURITY, last: "mail.not-you" }),
  "app-connected": () => ({
    paragraphs: ["mail.app-connected.what"],
    action: APPS,
    last: "mail.app-connected.last",
  }),
  "factor-added": () => ({ paragraphs: ["mail.factor-added.what"], action: SECURITY, last: "mail.not-you" }),
  "factor-removed": () => ({
    paragraphs: ["mail.factor-removed.what"],
    action: SECURITY,
    last: "mail.not-you",
  }),
  "token-reused": () => ({
    paragraphs: ["mail.token-reused.what"],
    action: APPS,
    last: "mail.token-reused.last",
  }),
}

export function messageOf(texts: Texts, kind: MailKind, facts: MessageFacts): Message {
  const { paragraphs, action, last } = words[kind](facts.secret)
  const [label, path] = action
  const heading = texts.plain(`mail.${kind}.heading`)
  return {
    language: texts.language,
    subject: texts.plain("mail.subject", { heading, operator: facts.operator }),
    heading,
    paragraphs: paragraphs.map((key) => texts.plain(key, facts.app)),
    facts: [
      [texts.plain("mail.time"), facts.when],
      ...(facts.networkAddress === null
        ? []
        : [[texts.plain("mail.network-address"), facts.networkAddress] as const]),
    ],
    action: { label: texts.plain(label), url: facts.baseUrl + path },
    last: texts.plain(last),
  }
}

/** The operator sends it, so it is in English, as the commands are. */
export function testMessage({
  operator,
  baseUrl,
  when,
}: Pick<MessageFacts, "operator" | "baseUrl" | "when">): Message {
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
