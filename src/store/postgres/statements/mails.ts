/** The outbox: claims, and what the console shows. */
import type { ClaimedMail, ListedMail, MailBacklog } from "../../../model/mail/mail.rules.ts"
import {
  backlogOf,
  type BacklogRow,
  claimedMailOf,
  claimMails as claimStatement,
  listedMailOf,
  MAIL_BACKLOG,
  type MailRow,
  UNSENT_MAILS,
} from "../../codecs/mail/mail-row.ts"
import type { Database, Reader } from "../driver/database.ts"

const DUE = "SELECT 1 AS one FROM outbox WHERE next_try_at <= ? LIMIT 1"
/** Mails that another node claims at this moment are skipped. */
const CLAIM = claimStatement("FOR UPDATE SKIP LOCKED")

/** The read comes first, because usually no mail is due. */
export async function claimMails(
  database: Database,
  now: number,
  leaseEndsAt: number,
  limit: number,
): Promise<readonly ClaimedMail[]> {
  if ((await database.read.one(DUE, now)) === null) return []
  const rows = await database.write(async (writer) => {
    const links = await writer.all<MailRow>(CLAIM.links, now, limit, leaseEndsAt)
    const room = limit - links.length
    const others = room === 0 ? [] : await writer.all<MailRow>(CLAIM.all, now, room, leaseEndsAt)
    return [...links, ...others]
  })
  return rows.map(claimedMailOf)
}

export async function mailBacklog(reader: Reader): Promise<MailBacklog> {
  const row = await reader.one<BacklogRow>(MAIL_BACKLOG)
  if (row === null) throw new Error("a count returned no row")
  return backlogOf(row)
}

export async function unsentMails(reader: Reader, limit: number): Promise<readonly ListedMail[]> {
  return (await reader.all<MailRow>(UNSENT_MAILS, limit)).map(listedMailOf)
}
