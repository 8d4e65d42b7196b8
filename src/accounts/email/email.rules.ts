/**
 * Rules of the e-mail address of an account: EMAIL-2…EMAIL-6.
 *
 * | event                        | address            | links                                   | mails                        |
 * | ---------------------------- | ------------------ | --------------------------------------- | ---------------------------- |
 * | the holder enters an address | stays              | one link to confirm; earlier ones end   | to the new address           |
 * | the link is confirmed        | changes            | one link to restore the former address  | to the former address        |
 * | the former one is restored   | changes back       | newer links to restore end; to recover  | to the address that is gone  |
 * | the operator sets one        | changes            | every such link ends                    | to both, without a link      |
 * | the holder removes it        | goes               | one link to restore it                  | to the address, with it      |
 */
import type { Hash, MailId } from "../../kernel/ids.ts"
import { sameHash } from "../../kernel/constant-time.ts"
import { CONFIRM_LINK_SECONDS, LINK_LEFT_SECONDS } from "../../kernel/account-limits.ts"
import { isWithin } from "../../kernel/time.ts"
import { type Account, asPerson } from "../../model/account.rules.ts"
import { type Change, type Decided, decided } from "../../model/change.rules.ts"
import type { EmailAddress } from "../../model/mail/email-address.rules.ts"
import type { AccountEmail, OneTimeLink } from "../../model/mail/email.rules.ts"
import {
  changedAt,
  type Confirmed,
  type EmailChange,
  linksOver,
  mailed,
  type NewLink,
  noticeTo,
  recorded,
  restorable,
} from "./email-change.rules.ts"

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

/** Confirms the address of a link. `holder` is the account that has the address now, or null. */
export function decideConfirmed(
  change: EmailChange,
  link: OneTimeLink,
  { address, addressKey }: EmailAddress,
  holder: AccountEmail | null,
  restore: NewLink,
): Decided<Confirmed> {
  const { account, current } = change
  const { userId } = account
  if (holder !== null && holder.userId !== userId) return decided<Confirmed>("taken")
  const email: AccountEmail = { userId, address, addressKey, verifiedAt: changedAt(change) }
  const former = current !== null && current.addressKey !== addressKey ? current : null
  return decided<Confirmed>(
    "done",
    { change: "linkEnded", linkHash: link.linkHash, userId },
    { change: "linksEnded", userId, purpose: "recover", since: 0 },
    ...(former === null ? [] : restorable(change, former, restore)),
    { change: "emailSet", email },
    recorded(change, "email-changed"),
  )
}

export type SetByOperator = "done" | "taken"

/** The operator vouches for the address. It needs no confirmation, and no earlier link replaces it. */
export function decideSetByOperator(
  change: EmailChange,
  { address, addressKey }: EmailAddress,
  holder: AccountEmail | null,
  mailIds: readonly [MailId, MailId],
): Decided<SetByOperator> {
  const { account, current } = change
  const { userId } = account
  if (holder !== null && holder.userId !== userId) return decided<SetByOperator>("taken")
  return decided<SetByOperator>(
    "done",
    ...linksOver(userId),
    { change: "linksEnded", userId, purpose: "restore-address", since: 0 },
    ...(current === null || current.addressKey === addressKey
      ? []
      : [noticeTo(change, current.address, mailIds[0], "address-changed")]),
    { change: "emailSet", email: { userId, address, addressKey, verifiedAt: changedAt(change) } },
    noticeTo(change, address, mailIds[1], "address-added"),
    recorded(change, "email-changed"),
  )
}
