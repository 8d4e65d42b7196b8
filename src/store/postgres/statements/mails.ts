/** Claims mails of the outbox. */
import type { ClaimedMail } from "../../../model/mail/mail.rules.ts"
import * as mail from "../../codecs/mail/mail-row.ts"
import type { Database } from "../driver/database.ts"

/** Mails that another node claims at this moment are skipped. */
const CLAIM = mail.claimMails("FOR UPDATE SKIP LOCKED")

/** The read comes first, because usually no mail is due. */
export async function claimMails(
  database: Database,
  now: number,
  leaseEndsAt: number,
  limit: number,
): Promise<readonly ClaimedMail[]> {
  if ((await database.read.one(mail.MAIL_IS_DUE, now)) === null) return []
  const rows = await database.write(async (writer) => {
    const links = await writer.all<mail.MailRow>(CLAIM.links, now, limit, leaseEndsAt)
    const room = limit - links.length
    const others = room === 0 ? [] : await writer.all<mail.MailRow>(CLAIM.all, now, room, leaseEndsAt)
    return [...links, ...others]
  })
  return rows.map(mail.claimedMailOf)
}
