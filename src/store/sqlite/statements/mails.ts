/** Claims mails of the outbox. */
import type { ClaimedMail } from "../../../model/mail/mail.rules.ts"
import type { Connection } from "../engine/connection.ts"
import { isLocked } from "../engine/sqlite-error.ts"
import * as mail from "../../codecs/mail/mail-row.ts"

const CLAIM = mail.claimMails("")

/** Claims nothing while another process has locked the database. The read comes first, because usually no mail is due. */
export function claimMails(
  connection: Connection,
  now: number,
  leaseEndsAt: number,
  limit: number,
): ClaimedMail[] {
  try {
    if (connection.one(mail.MAIL_IS_DUE, now) === null) return []
    return connection.transaction(() => {
      const links = connection.all<mail.MailRow>(CLAIM.links, now, limit, leaseEndsAt)
      const room = limit - links.length
      const others = room === 0 ? [] : connection.all<mail.MailRow>(CLAIM.all, now, room, leaseEndsAt)
      return [...links, ...others].map(mail.claimedMailOf)
    })
  } catch (error) {
    if (isLocked(error)) return []
    throw error
  }
}
