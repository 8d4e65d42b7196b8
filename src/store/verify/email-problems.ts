/** The invariants of e-mail addresses, one-time links, invitations and the outbox. */
import { mailKinds } from "../../model/mail/mail.rules.ts"
import { parseEmailAddress } from "../../model/mail/email-address.rules.ts"
import type { EmailRow, LinkRow } from "../codecs/mail/email-row.ts"
import type { InvitationRow } from "../codecs/mail/invitation-row.ts"
import type { MailRow } from "../codecs/mail/mail-row.ts"
import { isDigest, isIdentifierOrNull, problemsIn } from "./rule.ts"

export function emailProblems({ address, address_key }: EmailRow): string[] {
  const parsed = parseEmailAddress(address)
  return problemsIn(
    [!parsed.ok, "address is not an e-mail address"],
    [parsed.ok && parsed.value.addressKey !== address_key, "address_key is not the key of the address"],
  )
}

export function linkProblems(row: LinkRow): string[] {
  return problemsIn(
    [!isDigest(row.link_hash), "link_hash is not a digest"],
    [row.password_digest !== null && !isDigest(row.password_digest), "password_digest is not a digest"],
    [row.expires_at < row.made_at, "it expired before it was made"],
    [
      (row.purpose === "recover-by-hand") !== (row.address === null),
      "only a link that the operator hands over has no address",
    ],
  )
}

export function invitationProblems(row: InvitationRow): string[] {
  return problemsIn(
    [!isIdentifierOrNull(row.invitation_id), "invitation_id is not an identifier"],
    [!isDigest(row.link_hash), "link_hash is not a digest"],
    [row.email !== null && !parseEmailAddress(row.email).ok, "email is not an e-mail address"],
    [row.is_mailed === 1 && row.email === null, "it was mailed to no address"],
    [row.expires_at < row.made_at, "it expired before it was made"],
  )
}

const kinds: ReadonlySet<string> = new Set(mailKinds)

export function mailProblems(row: MailRow): string[] {
  return problemsIn(
    [!isIdentifierOrNull(row.mail_id), "mail_id is not an identifier"],
    [!kinds.has(row.kind), "unknown kind"],
    [row.expires_at < row.queued_at, "it expired before it was queued"],
  )
}
