/** Parts of every change of an account's e-mail address: links, mails and the event. */
import type { Hash, MailId } from "../../kernel/ids.ts"
import { NOTICE_KEPT_SECONDS, RESTORE_LINK_SECONDS } from "../../kernel/account-limits.ts"
import { isFarAhead } from "../../kernel/time.ts"
import type { Account } from "../../model/account.rules.ts"
import { type Change, eventRecorded } from "../../model/change.rules.ts"
import { type AccountEmail, isConfirmed, type OneTimeLink } from "../../model/mail/email.rules.ts"
import type { MailKind, NewMail } from "../../model/mail/mail.rules.ts"

/** A new secret for a link, and the id of the mail with it. */
export type NewLink = {
  readonly linkHash: Hash
  readonly sealedLink: string
  readonly mailId: MailId
}

export type EmailChange = {
  readonly account: Account
  /** The confirmed address of the account, or null. */
  readonly current: AccountEmail | null
  readonly now: number
  readonly networkAddress: string | null
  readonly actorId?: Account["userId"] | null | undefined
}

export type Confirmed = "done" | "gone" | "taken"

/** Later than the change before, even within one second, so that a link to restore an address ends later links only. */
export function changedAt({ current, now }: EmailChange): number {
  const before = current?.verifiedAt ?? 0
  return isFarAhead(before, now) ? now : Math.max(now, before + 1)
}

/**
 * A former address gets a link. One that only an application named gets no mail: it may be a stranger's, whose answer
 * would confirm it (UP-17), and the application names it again at each arrival.
 */
export function restorable(
  change: EmailChange,
  former: AccountEmail,
  { linkHash, sealedLink, mailId }: NewLink,
): readonly Change[] {
  const { userId, address } = former
  if (!isConfirmed(former)) return []
  const madeAt = changedAt(change)
  const link: OneTimeLink = {
    linkHash,
    userId,
    purpose: "restore-address",
    address,
    // A thief may have changed the password too.
    passwordDigest: null,
    madeAt,
    expiresAt: madeAt + RESTORE_LINK_SECONDS,
  }
  return [{ change: "linkAdded", link }, noticeTo(change, address, mailId, "address-changed", sealedLink)]
}

export function linksOver(userId: Account["userId"]): readonly Change[] {
  return [
    { change: "linksEnded", userId, purpose: "confirm-address", since: 0 },
    { change: "linksEnded", userId, purpose: "recover", since: 0 },
  ]
}

export function noticeTo(
  { account: { userId }, now, networkAddress }: EmailChange,
  address: string,
  mailId: MailId,
  kind: MailKind,
  sealedLink: string | null = null,
): Change {
  const expiresAt = now + NOTICE_KEPT_SECONDS
  return mailed(mailId, kind, { userId, to: { address }, networkAddress, sealedLink, at: now, expiresAt })
}

export function mailed(
  mailId: MailId,
  kind: MailKind,
  facts: Omit<NewMail, "mailId" | "kind" | "clientId" | "redirectHost">,
): Change {
  return { change: "mailQueued", mail: { mailId, kind, clientId: null, redirectHost: null, ...facts } }
}

export function recorded(
  { account: { userId }, now, networkAddress, actorId }: EmailChange,
  kind: "email-changed" | "email-restored" | "email-removed",
): Change {
  return eventRecorded(kind, now, { userId, address: networkAddress, actorId })
}
