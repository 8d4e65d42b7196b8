/** The outbox. A row stays for a day after its mail was sent or given up, for limits and for the console. */
import type { MailId } from "../../../kernel/ids.ts"
import { MAILS_OF_A_KIND_AT_MOST } from "../../../kernel/account-limits.ts"
import type {
  ClaimedMail,
  ListedMail,
  MailBacklog,
  MailOutcome,
  NewMail,
  RecentMail,
} from "../../../model/mail/mail.rules.ts"
import { DAY } from "../../../kernel/time.ts"
import { type Columns, columnText, decode, type RowOf } from "../columns.ts"
import type { Value } from "../value.ts"

/** The address is deleted after the mail was sent or given up. */
type Stored = Omit<ClaimedMail, "address"> & { readonly address: string | null }

const columns = {
  mailId: "mail_id",
  userId: "user_id",
  address: "address",
  kind: "kind",
  clientId: "client_id",
  redirectHost: "redirect_host",
  networkAddress: "network_address",
  sealedLink: "sealed_link",
  at: "queued_at",
  expiresAt: "expires_at",
  tries: "tries",
  language: "language",
} as const satisfies Columns<Stored>

/** `next_try_at` is the end of the claim while a node sends the mail. */
export type MailRow = RowOf<Stored, typeof columns> & {
  readonly next_try_at: number | null
  readonly problem: string | null
}

export const mailColumns = `${columnText(columns)}, next_try_at, problem`

const mailOf = (row: MailRow) => decode<Stored, typeof columns>(columns, row)

export function claimedMailOf(row: MailRow): ClaimedMail {
  return { ...mailOf(row), address: row.address ?? "" }
}

export function listedMailOf(row: MailRow): ListedMail {
  const { mailId, userId, kind, at, tries } = mailOf(row)
  return { mailId, userId, kind, at, tries, nextTryAt: row.next_try_at, problem: row.problem }
}

export function recentMailOf(row: MailRow): RecentMail {
  const { kind, at, expiresAt } = mailOf(row)
  return { kind, at, expiresAt, isWaiting: row.next_try_at !== null }
}

type Statement = { readonly sql: string; readonly values: readonly Value[] }

/** Returns the statement that queues a mail. It inserts no row if there is no such address, or if a limit is reached. */
export function mailInsertion(mail: NewMail): Statement {
  const target = targetOf(mail)
  const {
    mailId,
    kind,
    clientId,
    redirectHost,
    networkAddress,
    sealedLink,
    language = null,
    at,
    expiresAt,
  } = mail
  return {
    sql: insertFrom(target.sql),
    values: [
      ...[mailId, kind, clientId, redirectHost, networkAddress, sealedLink, language],
      ...[at, expiresAt, at, expiresAt + DAY],
      ...target.values,
      kind,
      mail.unlessKnown ?? NO_BROWSER,
    ],
  }
}

function targetOf({ to, userId, at }: NewMail): Statement {
  if (to === "current") return { sql: CURRENT, values: [userId] }
  if (to === "former") return { sql: FORMER, values: [userId, at] }
  return { sql: GIVEN, values: [userId, to.address] }
}

/** No digest of a browser is empty. */
const NO_BROWSER = ""

// PostgreSQL needs the types of parameters in a SELECT list. SQLite accepts the same casts.
const CURRENT = "SELECT user_id, address FROM email WHERE user_id = ?"
/**
 * The oldest of the recent addresses. If a thief changed the address twice, this is the address of the owner. The present
 * address gets its own mail.
 */
const FORMER = `
  SELECT user_id, address FROM one_time_link WHERE user_id = ? AND purpose = 'restore-address' AND expires_at >= ?
    AND NOT EXISTS (SELECT 1 FROM email WHERE email.user_id = one_time_link.user_id AND email.address = one_time_link.address)
  ORDER BY made_at LIMIT 1`
const GIVEN = "SELECT CAST(? AS text) AS user_id, CAST(? AS text) AS address"

const insertFrom = (target: string) => `
  INSERT INTO outbox (mail_id, kind, client_id, redirect_host, network_address, sealed_link, language, queued_at, expires_at,
    next_try_at, gone_at, user_id, address, tries)
  SELECT CAST(? AS text), CAST(? AS text), CAST(? AS text), CAST(? AS text), CAST(? AS text), CAST(? AS text), CAST(? AS text),
    CAST(? AS bigint), CAST(? AS bigint), CAST(? AS bigint), CAST(? AS bigint), target.user_id, target.address, 0
  FROM (${target}) AS target
  WHERE (SELECT count(*) FROM outbox WHERE outbox.user_id = target.user_id AND outbox.kind = ?)
    < ${MAILS_OF_A_KIND_AT_MOST}
    AND NOT EXISTS (SELECT 1 FROM known_browser WHERE browser_hash = ? AND known_browser.user_id = target.user_id)`

/** Returns the statement that stores the result of an attempt. A claim that has passed to another node writes nothing. */
export function mailSettlement(mailId: MailId, tries: number, outcome: MailOutcome): Statement {
  if (outcome.outcome === "deferred")
    return { sql: DEFER, values: [outcome.nextTryAt, outcome.problem, mailId, tries] }
  const problem = outcome.outcome === "sent" ? null : outcome.problem
  return { sql: END, values: [problem, outcome.at + DAY, mailId, tries] }
}

const CLAIMED = "WHERE mail_id = ? AND tries = ? AND next_try_at IS NOT NULL"
const DEFER = `UPDATE outbox SET next_try_at = ?, problem = ? ${CLAIMED}`
const END = `
  UPDATE outbox SET next_try_at = NULL, address = NULL, sealed_link = NULL, network_address = NULL, problem = ?, gone_at = ?
  ${CLAIMED}`

export const MAIL_IS_DUE = "SELECT 1 FROM outbox WHERE next_try_at <= ? LIMIT 1"

/**
 * Builds the statements that claim mails. Their parameters are the time, the limit and the end of the claim. Mails with a
 * link come first, because a person waits for them. `skipping` is added to the inner query, which PostgreSQL could
 * otherwise run more than once, and claim more than the limit.
 */
export function claimMails(skipping: string): { readonly links: string; readonly all: string } {
  const claim = (which: string) => `
    WITH due AS MATERIALIZED
      (SELECT mail_id FROM outbox WHERE next_try_at <= ? ${which} ORDER BY next_try_at LIMIT ? ${skipping})
    UPDATE outbox SET tries = tries + 1, next_try_at = ? WHERE mail_id IN (SELECT mail_id FROM due)
    RETURNING ${mailColumns}`
  return { links: claim("AND sealed_link IS NOT NULL"), all: claim("") }
}

export const MAIL_BACKLOG = `
  SELECT count(next_try_at) AS waiting,
    count(CASE WHEN next_try_at IS NOT NULL AND problem IS NOT NULL THEN 1 END) AS failing,
    min(CASE WHEN next_try_at IS NOT NULL THEN queued_at END) AS oldest_at,
    count(CASE WHEN next_try_at IS NULL AND problem IS NULL THEN 1 END) AS sent,
    count(CASE WHEN next_try_at IS NULL AND problem IS NOT NULL THEN 1 END) AS dropped
  FROM outbox`

export type BacklogRow = Omit<MailBacklog, "oldestAt"> & { readonly oldest_at: number | null }

export function backlogOf({ oldest_at: oldestAt, ...counts }: BacklogRow): MailBacklog {
  return { ...counts, oldestAt }
}

export const UNSENT_MAILS = `
  SELECT ${mailColumns} FROM outbox WHERE next_try_at IS NOT NULL OR problem IS NOT NULL
  ORDER BY next_try_at IS NULL, mail_id LIMIT ?`
