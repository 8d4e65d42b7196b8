/** Removing an address, and bringing a former one back: EMAIL-4. */
import type { MailId } from "../../kernel/ids.ts"
import { type Decided, decided } from "../../model/change.rules.ts"
import type { EmailAddress } from "../../model/mail/email-address.rules.ts"
import type { AccountEmail, OneTimeLink } from "../../model/mail/email.rules.ts"
import {
  changedAt,
  type Confirmed,
  type EmailChange,
  linksOver,
  type NewLink,
  noticeTo,
  recorded,
  restorable,
} from "./email-change.rules.ts"

/**
 * Brings a former address back and signs every browser out. Links of later changes end, because a thief may hold them.
 * Links of earlier changes stay, because they belong to the owner if the thief changed the address twice.
 */
export function decideRestored(
  change: EmailChange,
  link: OneTimeLink,
  { address, addressKey }: EmailAddress,
  holder: AccountEmail | null,
  mailId: MailId,
): Decided<Confirmed> {
  const { account, current, now } = change
  const { userId } = account
  if (holder !== null && holder.userId !== userId) return decided<Confirmed>("taken")
  return decided<Confirmed>(
    "done",
    { change: "linksEnded", userId, purpose: "restore-address", since: link.madeAt },
    { change: "linkEnded", linkHash: link.linkHash, userId },
    { change: "linksEnded", userId, purpose: "recover", since: 0 },
    { change: "linksEnded", userId, purpose: "confirm-address", since: 0 },
    { change: "emailSet", email: { userId, address, addressKey, verifiedAt: changedAt(change) } },
    { change: "sessionsEnded", userId, except: null, at: now },
    ...(current === null || current.addressKey === addressKey
      ? []
      : [noticeTo(change, current.address, mailId, "address-restored")]),
    recorded(change, "email-restored"),
  )
}

/** Removes the address. It gets the link too, so that a thief who removes it and enters another cannot avoid the link. */
export function decideRemoved(change: EmailChange, restore: NewLink): Decided<null> {
  const { account, current } = change
  const { userId } = account
  if (current === null) return decided(null)
  return decided(
    null,
    ...linksOver(userId),
    ...restorable(change, current, restore),
    { change: "emailRemoved", userId },
    recorded(change, "email-removed"),
  )
}
