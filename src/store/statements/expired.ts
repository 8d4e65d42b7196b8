/** The expired rows that both engines delete in the same way. Each engine builds its own statements. */
import { KEPT_AFTER_END_SECONDS, TALLIES_KEPT_SECONDS } from "../../kernel/limits.ts"
import { BROWSER_KNOWN_SECONDS } from "../../kernel/account-limits.ts"
import type { Grain } from "../../model/tally.rules.ts"

/** Selects the rows whose `column` is at most `upTo`. `key` has the columns of a unique key. */
export type Expired = {
  readonly table: string
  readonly key: readonly string[]
  readonly column: string
  readonly upTo: number
  readonly and?: string
}

export function expiredRows(now: number): readonly Expired[] {
  const row = (table: string, key: string, column: string, upTo = now): Expired => ({
    table,
    key: key.split(", "),
    column,
    upTo,
  })
  const tallies = (grain: Grain): Expired => ({
    ...row("tally", "grain, at, client_id, name", "at", now - TALLIES_KEPT_SECONDS[grain]),
    and: `grain = '${grain}'`,
  })
  return [
    row("service_token", "access_hash", "expires_at"),
    row("imported_token", "token_hash", "ends_at"),
    row("device_grant", "grant_id", "gone_at"),
    row("session", "session_hash", "gone_at"),
    row("spent_ticket", "ticket_id", "spent_at", now - KEPT_AFTER_END_SECONDS),
    row("known_browser", "browser_hash, user_id", "seen_at", now - BROWSER_KNOWN_SECONDS),
    row("one_time_link", "link_hash", "expires_at"),
    row("remembered_consent", "id", "ends_at"),
    row("invitation", "invitation_id", "expires_at"),
    row("outbox", "mail_id", "gone_at"),
    row("client", "client_id", "gone_at"),
    tallies("minute"),
    tallies("hour"),
    tallies("day"),
  ]
}

/** The number of invalidations that are kept. A resource server that has missed more discards its whole cache. */
export const INVALIDATIONS_KEPT = 10_000

export const ANY_EXPIRED_SESSION = "SELECT 1 FROM session_credential WHERE ends_at < ? LIMIT 1"
