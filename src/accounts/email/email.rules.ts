/**
 * Rules of the e-mail address of an account: EMAIL-2…EMAIL-6.
 *
 * | event                        | address            | links                                   | mails                        |
 * | ---------------------------- | ------------------ | --------------------------------------- | ---------------------------- |
 * | the holder enters an address | stays              | one link to confirm; earlier ones end   | to the new address           |
 * | the link is confirmed        | changes            | one link to restore the former address  | to the former address        |
 * | the former one is restored   | changes back       | newer links to restore end; to recover  | to the address that is gone  |
 * | the operator sets one        | changes            | every link to recover or confirm ends   | to both, without a link      |
 */
import type { Hash, MailId } from "../../kernel/ids.ts"
import { sameHash } from "../../kernel/constant-time.ts"
import {
  CONFIRM_LINK_SECONDS,
  LINK_LEFT_SECONDS,
  NOTICE_KEPT_SECONDS,
  RESTORE_LINK_SECONDS,
} from "../../kernel/limits.ts"
import { isWithin } from "../../kernel/time.ts"
import { type Account, asPerson } from "../../records/account.rules.ts"
import { type Change, type Decided, decided } from "../../records/change.rules.ts"
import type { EmailAddress } from "../../records/mail/email-address.rules.ts"
import type { AccountEmail, OneTimeLink } from "../../records/mail/email.rules.ts"
import { event } from "../../records/event.rules.ts"
import type { MailKind, NewMail } from "../../records/mail/mail.rules.ts"

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

/** Sends the link that confirms an address. The answer does not say whether another account has the address. */
export function decideEntered(
  { account: { userId }, now, networkAddress }: EmailChange,
  { address }: EmailAddress,
  passwordDigest: Hash | null,
  { linkHash, sealedLink, mailId }: NewLink,
): readonly Change[] {
  const expiresAt = now + CONFIRM_LINK_SECONDS
  const link: OneTimeLink = {
    linkHash,
    userId,
    purpose: "confirm-address",
    address,
    passwordDigest,
    madeAt: now,
    expiresAt,
  }
  return [
    { change: "linksEnded", userId, purpose: "confirm-address", since: 0 },
    { change: "linkAdded", link },
    mailed(mailId, "confirm-address", {
      userId,
      to: { address },
      networkAddress,
      sealedLink,
      at: now,
      expiresAt: expiresAt - LINK_LEFT_SECONDS,
    }),
  ]
}

/** Whether a link still works. The account must be enabled and have the password of then. */
export function isLinkAlive(
  link: OneTimeLink | null,
  purpose: OneTimeLink["purpose"],
  { account, passwordDigest }: { readonly account: Account | null; readonly passwordDigest: Hash | null },
  now: number,
): link is OneTimeLink {
  if (link?.purpose !== purpose || asPerson(account)?.enabled !== true) return false
  if (!isWithin(link.madeAt, now, link.expiresAt - link.madeAt)) return false
  return (
    link.passwordDigest === null || (passwordDigest !== null && sameHash(link.passwordDigest, passwordDigest))
  )
}

export type Confirmed = "done" | "gone" | "taken"

/** Confirms the address of a link. `holder` is the account that has the address now, or null. */
export function decideConfirmed(
  asked: EmailChange,
  link: OneTimeLink,
  { address, addressKey }: EmailAddress,
  holder: AccountEmail | null,
  restore: NewLink,
): Decided<Confirmed> {
  const { account, current, now, networkAddress } = asked
  const { userId } = account
  if (holder !== null && holder.userId !== userId) return decided<Confirmed>("taken")
  const email: AccountEmail = { userId, address, addressKey, verifiedAt: now }
  const former = current !== null && current.addressKey !== addressKey ? current : null
  return decided<Confirmed>(
    "done",
    { change: "linkEnded", linkHash: link.linkHash, userId },
    { change: "linksEnded", userId, purpose: "recover", since: 0 },
    ...(former === null ? [] : restorable(former, restore, now, networkAddress)),
    { change: "emailSet", email },
    recorded(asked, "email-changed"),
  )
}

/** Adds the link that brings the former address back, and the mail with it. */
function restorable(
  { userId, address }: AccountEmail,
  { linkHash, sealedLink, mailId }: NewLink,
  now: number,
  networkAddress: string | null,
): readonly Change[] {
  const expiresAt = now + RESTORE_LINK_SECONDS
  const link: OneTimeLink = {
    linkHash,
    userId,
    purpose: "restore-address",
    address,
    // A thief may have changed the password too.
    passwordDigest: null,
    madeAt: now,
    expiresAt,
  }
  const facts = { userId, to: { address }, networkAddress, sealedLink, at: now }
  return [
    { change: "linkAdded", link },
    mailed(mailId, "address-changed", { ...facts, expiresAt: now + NOTICE_KEPT_SECONDS }),
  ]
}

/**
 * Brings a former address back and signs every browser out. Links of later changes end, because a thief may hold them.
 * Links of earlier changes stay, because they belong to the owner if the thief changed the address twice.
 */
export function decideRestored(
  asked: EmailChange,
  link: OneTimeLink,
  { address, addressKey }: EmailAddress,
  holder: AccountEmail | null,
  mailId: MailId,
): Decided<Confirmed> {
  const { account, current, now, networkAddress } = asked
  const { userId } = account
  if (holder !== null && holder.userId !== userId) return decided<Confirmed>("taken")
  return decided<Confirmed>(
    "done",
    { change: "linksEnded", userId, purpose: "restore-address", since: link.madeAt },
    { change: "linkEnded", linkHash: link.linkHash, userId },
    { change: "linksEnded", userId, purpose: "recover", since: 0 },
    { change: "linksEnded", userId, purpose: "confirm-address", since: 0 },
    { change: "emailSet", email: { userId, address, addressKey, verifiedAt: now } },
    { change: "sessionsEnded", userId, except: null, at: now },
    ...(current === null || current.addressKey === addressKey
      ? []
      : [toldOfChange(current, mailId, now, networkAddress)]),
    recorded(asked, "email-restored"),
  )
}

export type SetByOperator = "done" | "taken"

/** The operator vouches for the address, so that it needs no confirmation. */
export function decideSetByOperator(
  asked: EmailChange,
  { address, addressKey }: EmailAddress,
  holder: AccountEmail | null,
  mailIds: readonly [MailId, MailId],
): Decided<SetByOperator> {
  const { account, current, now, networkAddress } = asked
  const { userId } = account
  if (holder !== null && holder.userId !== userId) return decided<SetByOperator>("taken")
  const facts = { userId, networkAddress, sealedLink: null, at: now, expiresAt: now + NOTICE_KEPT_SECONDS }
  return decided<SetByOperator>(
    "done",
    ...linksOver(userId),
    ...(current === null || current.addressKey === addressKey
      ? []
      : [toldOfChange(current, mailIds[0], now, networkAddress)]),
    { change: "emailSet", email: { userId, address, addressKey, verifiedAt: now } },
    mailed(mailIds[1], "address-added", { ...facts, to: { address } }),
    recorded(asked, "email-changed"),
  )
}

export function decideRemoved(asked: EmailChange, mailId: MailId): Decided<null> {
  const { account, current, now, networkAddress } = asked
  const { userId } = account
  if (current === null) return decided(null)
  return decided(
    null,
    ...linksOver(userId),
    toldOfChange(current, mailId, now, networkAddress),
    { change: "emailRemoved", userId },
    recorded(asked, "email-removed"),
  )
}

function linksOver(userId: Account["userId"]): readonly Change[] {
  return [
    { change: "linksEnded", userId, purpose: "confirm-address", since: 0 },
    { change: "linksEnded", userId, purpose: "recover", since: 0 },
  ]
}

function toldOfChange(
  { userId, address }: AccountEmail,
  mailId: MailId,
  now: number,
  networkAddress: string | null,
): Change {
  return mailed(mailId, "address-changed", {
    userId,
    to: { address },
    networkAddress,
    sealedLink: null,
    at: now,
    expiresAt: now + NOTICE_KEPT_SECONDS,
  })
}

export function mailed(
  mailId: MailId,
  kind: MailKind,
  facts: Omit<NewMail, "mailId" | "kind" | "clientId" | "redirectHost">,
): Change {
  return { change: "mailQueued", mail: { mailId, kind, clientId: null, redirectHost: null, ...facts } }
}

function recorded(
  { account: { userId }, now, networkAddress, actorId = null }: EmailChange,
  kind: "email-changed" | "email-restored" | "email-removed",
): Change {
  return {
    change: "eventRecorded",
    event: event(kind, now, { userId, address: networkAddress, actorId }),
  }
}
