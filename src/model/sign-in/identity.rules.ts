/**
 * What links an account to a person at a sign-in provider. The key is the pair of issuer and subject and nothing else:
 * neither the name of the provider in the configuration nor an e-mail address.
 */
import type { Hash, UserId } from "../../kernel/ids.ts"
import { isVisibleText } from "../../kernel/visible-text.ts"

export type Identity = {
  /** The digest of issuer and subject, `identityHash`. */
  readonly identityHash: Hash
  readonly issuer: string
  readonly subject: string
  readonly userId: UserId
  /** The name of the provider in the configuration. */
  readonly provider: string
  /** The e-mail address or username at the provider when the link was made. It is for people only. */
  readonly shownName: string | null
  readonly linkedAt: number
  /** Whether the rule `administrators` of the provider made this account an administrator. */
  readonly grantsAdministration: boolean
}

export type IdentityKey = Pick<Identity, "issuer" | "subject">

/** The form of a subject, as messages say it. */
export const SUBJECT_FORM = "1 to 255 visible characters"

/**
 * Whether a provider may call a person so. OpenID Connect Core §2 allows 255 characters. Some servers use names of a
 * directory, which have spaces and letters outside ASCII.
 */
export function isSubject(text: string): boolean {
  return text !== "" && text.length <= 255 && isVisibleText(text)
}

const UNSEEN = /[\s\p{Default_Ignorable_Code_Point}]/u

/** Whether an application may call a person so. Its ids have no white space, and nothing that cannot be seen. LOGIN-2. */
export function isApplicationSubject(text: string): boolean {
  return isSubject(text) && !UNSEEN.test(text)
}

/** The text whose digest is the key. JSON keeps the border between both parts. */
export function identityText({ issuer, subject }: IdentityKey): string {
  return JSON.stringify([issuer, subject])
}
