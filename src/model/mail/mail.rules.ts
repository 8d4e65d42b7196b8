/** Mails that wait in the outbox. The text of a mail is made when it is sent. */
import type { ClientId, Hash, MailId, UserId } from "../../kernel/ids.ts"

export const mailKinds = [
  "confirm-address",
  "recover",
  "address-added",
  "address-changed",
  "address-restored",
  "password-changed",
  "signed-in",
  "app-connected",
  "factor-added",
  "factor-removed",
  "token-reused",
  "invited",
  "invited-administrator",
] as const

export type MailKind = (typeof mailKinds)[number]

/** The recipient: the confirmed address of the account, its address before a recent change, or a given address. */
type MailTarget = "current" | "former" | { readonly address: string }

type MailFacts = {
  readonly mailId: MailId
  /** The account of the recipient. Null for a person without one. */
  readonly userId: UserId | null
  readonly kind: MailKind
  readonly clientId: ClientId | null
  /** The host that the app returned to after the consent, or null. */
  readonly redirectHost: string | null
  /** The IP address of the request that caused the mail, or null. */
  readonly networkAddress: string | null
  /** The secret of the link in the mail, encrypted with the service secret. It is null if the mail has no such link. */
  readonly sealedLink: string | null
  readonly at: number
  /** The mail is not sent after this time. A link in it must still work then. */
  readonly expiresAt: number
}

export type NewMail = MailFacts & {
  readonly to: MailTarget
  /** The mail is not queued if this browser has signed in to the account before. */
  readonly unlessKnown?: Hash | null
  /** The tag of the language, for a person without an account. */
  readonly language?: string | null
}

export type ClaimedMail = MailFacts & {
  readonly address: string
  /** The tag of the language. Null stands for the one of the account, or else the default. */
  readonly language: string | null
  /** The number of attempts, including this one. It identifies the claim. */
  readonly tries: number
}

export type MailOutcome =
  | { readonly outcome: "sent"; readonly at: number }
  | { readonly outcome: "deferred"; readonly nextTryAt: number; readonly problem: string }
  | { readonly outcome: "dropped"; readonly at: number; readonly problem: string }

export type MailBacklog = {
  readonly waiting: number
  /** The waiting mails of which an attempt has failed. */
  readonly failing: number
  readonly oldestAt: number | null
  /** The mails of the last day that were sent, and those that were given up. */
  readonly sent: number
  readonly dropped: number
}

/** A mail for the console. It has no address. */
export type ListedMail = Pick<MailFacts, "mailId" | "userId" | "kind" | "at"> & {
  readonly tries: number
  /** It is null after the mail was sent or given up. */
  readonly nextTryAt: number | null
  readonly problem: string | null
}

/** A mail of one account, for limits. */
export type RecentMail = Pick<MailFacts, "kind" | "at" | "expiresAt"> & { readonly isWaiting: boolean }
