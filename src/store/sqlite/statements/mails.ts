/** The outbox: claims, and what the console shows. */
import type { ClaimedMail, ListedMail, MailBacklog } from "../../../model/mail/mail.rules.ts"
import type { Connection } from "../engine/connection.ts"
import { isLocked } from "../engine/sqlite-error.ts"
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

const DUE = "SELECT 1 FROM outbox WHERE next_try_at <= ? LIMIT 1"
const CLAIM = claimStatement("")

/** Claims nothing while another process has locked the database. The read comes first, because usually no mail is due. */
export function claimMails(
  connection: Connection,
  now: number,
  leaseEndsAt: number,
  limit: number,
): ClaimedMail[] {
  try {
    if (connection.one(DUE, now) === null) return []
    return connection.transaction(() => {
      const links = connection.all<MailRow>(CLAIM.links, now, limit, leaseEndsAt)
      const room = limit - links.length
      const others = room === 0 ? [] : connection.all<MailRow>(CLAIM.all, now, room, leaseEndsAt)
      return [...links, ...others].map(claimedMailOf)
    })
  } catch (error) {
    if (isLocked(error)) return []
    throw error
  }
}

export function mailBacklog(connection: Connection): MailBacklog {
  const row = connection.one<BacklogRow>(MAIL_BACKLOG)
  if (row === null) throw new Error("a count returned no row")
  return backlogOf(row)
}

export function unsentMails(connection: Connection, limit: number): ListedMail[] {
  return connection.all<MailRow>(UNSENT_MAILS, limit).map(listedMailOf)
}
