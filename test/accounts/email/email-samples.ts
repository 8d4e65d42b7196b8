/** Sample values for the rules of an account's e-mail address. */
import type { EmailChange, NewLink } from "../../../src/accounts/email/email-change.rules.ts"
import type { MailId, UserId } from "../../../src/kernel/ids.ts"
import type { Change } from "../../../src/model/change.rules.ts"
import type { AccountEmail, OneTimeLink } from "../../../src/model/mail/email.rules.ts"
import { account, hash, NOW, USER_ID } from "../../support/core-sample.ts"

export const OTHER_ID = "01kb3w5f6y8m2q4r7t9v1x3z5e" as UserId
export const [MAIL_ID, OTHER_MAIL_ID] = ["mail 1" as MailId, "mail 2" as MailId]
export const NETWORK = "192.0.2.1"

/** The confirmed address of the account. It was confirmed a thousand seconds ago. */
export const current: AccountEmail = {
  userId: USER_ID,
  address: "Ada@old.example",
  addressKey: "ada@old.example",
  verifiedAt: NOW - 1000,
}

export const entered = { address: "Ada@new.example", addressKey: "ada@new.example" }

export const change: EmailChange = { account, current, now: NOW, networkAddress: NETWORK }

export const newLink: NewLink = { linkHash: hash("restore"), sealedLink: "sealed", mailId: MAIL_ID }

export const link: OneTimeLink = {
  linkHash: hash("link"),
  userId: USER_ID,
  purpose: "confirm-address",
  address: entered.address,
  passwordDigest: hash("password"),
  madeAt: NOW - 60,
  expiresAt: NOW + 3540,
}

export function kindsOf(changes: readonly Change[]): readonly string[] {
  return changes.map((one) => one.change)
}

/** Returns each mail as its kind, its recipient and the sealed secret of its link. */
export function mailsOf(changes: readonly Change[]): readonly unknown[] {
  return changes.flatMap((one) =>
    one.change === "mailQueued" ? [[one.mail.kind, one.mail.to, one.mail.sealedLink]] : [],
  )
}
