/** Deletes expired rows (docs/storage.md) in batches. Each batch has the write lock only briefly. */
import {
  ASSERTIONS_KEPT_SECONDS,
  BROWSER_KNOWN_SECONDS,
  KEPT_AFTER_END_SECONDS,
  TALLIES_KEPT_SECONDS,
} from "../../../kernel/limits.ts"
import type { Grain } from "../../../model/tally.rules.ts"
import { DAY } from "../../../kernel/time.ts"
import { metaKeys } from "../../store.ts"
import type { Connection } from "../engine/connection.ts"
import { endWithSessions } from "./apply.ts"
import { sweepInvalidations } from "./invalidations.ts"
import { indexNewEvents } from "./new-events.ts"

/** Deletes rows and returns their number, at most `limit` of each kind. */
export function sweep(connection: Connection, now: number, limit: number, eventsKept: number): number {
  const kinds: readonly [sql: string, upTo: number][] = [
    [CREDENTIALS, Math.floor(now / DAY)],
    [ofKind("service_token", "(token_id, place)", "expires_at"), now],
    [ofKind("imported_token", "token_hash", "ends_at"), now],
    [ofKind("device_grant", "grant_id", "gone_at"), now],
    [ofKind("session", "session_hash", "gone_at"), now],
    [ofKind("spent_ticket", "ticket_id", "spent_at"), now - KEPT_AFTER_END_SECONDS],
    [ofKind("known_browser", "(browser_hash, user_id)", "seen_at"), now - BROWSER_KNOWN_SECONDS],
    [ofKind("event_row", "id", "at"), now - eventsKept],
    [ofKind("one_time_link", "link_hash", "expires_at"), now],
    [ofKind("outbox", "mail_id", "gone_at"), now],
    [CLIENTS, now],
    [ofTallies("minute"), now - TALLIES_KEPT_SECONDS.minute],
    [ofTallies("hour"), now - TALLIES_KEPT_SECONDS.hour],
    [ofTallies("day"), now - TALLIES_KEPT_SECONDS.day],
  ]
  let gone = connection.transaction(() => sweepInvalidations(connection, limit))
  gone += connection.transaction(() => sweepAssertions(connection, now - ASSERTIONS_KEPT_SECONDS, limit))
  if (connection.one(OLD_AMONG_NEW, now - eventsKept) !== null)
    connection.transaction(() => indexNewEvents(connection))
  for (const [sql, upTo] of kinds) {
    const removed = connection.transaction(() => connection.run(sql, upTo, limit))
    if (removed > 0 && CACHED.has(sql)) connection.rows.forget()
    gone += removed
  }
  return gone
}

/** Ends the credentials whose session has expired. Returns their number. */
export function endExpiredSessions(connection: Connection, now: number, limit: number): number {
  if (connection.one(SESSIONS_OVER, now) === null) return 0
  return connection.transaction(() => endWithSessions(connection, now, new Map(), ENDED_SESSIONS, now, limit))
}

/** Deletes used assertions, and stores the latest of them (`metaKeys.assertionsSwept`). */
function sweepAssertions(connection: Connection, upTo: number, limit: number): number {
  const { latest } = connection.one<{ latest: number | null }>(LATEST_ASSERTION, upTo, limit) ?? {
    latest: null,
  }
  if (latest === null) return 0
  connection.run(SET_ASSERTIONS_SWEPT, metaKeys.assertionsSwept, String(latest))
  return connection.run(ASSERTIONS, upTo, limit)
}

const LATEST_ASSERTION = `
  SELECT max(gone_at) AS latest FROM
    (SELECT gone_at FROM spent_assertion WHERE gone_at <= ? ORDER BY gone_at LIMIT ?)`
const SET_ASSERTIONS_SWEPT = `
  INSERT INTO meta (key, value) VALUES (?, ?)
  ON CONFLICT (key) DO UPDATE SET value = excluded.value
    WHERE CAST(excluded.value AS INTEGER) > CAST(meta.value AS INTEGER)`
const ASSERTIONS = inBatches("spent_assertion", "assertion_hash", "gone_at <= ?", "gone_at")

/** Finds expired events in `event_new`. These must first move to `event_row`, because only that table is swept. */
const OLD_AMONG_NEW = "SELECT 1 FROM event_new WHERE at <= ? LIMIT 1"

const SESSIONS_OVER = "SELECT 1 FROM session_credential WHERE ends_at < ? LIMIT 1"
const ENDED_SESSIONS =
  "token_id IN (SELECT token_id FROM session_credential WHERE ends_at < ? ORDER BY ends_at LIMIT ?)"

function ofKind(table: string, key: string, column: string): string {
  return inBatches(table, key, `${column} <= ?`, column)
}

const CREDENTIALS = ofKind("credential_row", "id", "gone")
const CLIENTS = ofKind("client", "client_id", "gone_at")

/** Only these deletions change cached rows: apps, and the numbers of apps and accounts. */
const CACHED: ReadonlySet<string> = new Set([CREDENTIALS, CLIENTS])

function ofTallies(grain: Grain): string {
  return inBatches("tally", "(grain, client_id, at, name)", `grain = '${grain}' AND at <= ?`, "at")
}

function inBatches(table: string, key: string, condition: string, order: string): string {
  const columns = key.replace(/[()]/g, "")
  return `
    DELETE FROM ${table} WHERE ${key} IN
      (SELECT ${columns} FROM ${table} WHERE ${condition} ORDER BY ${order} LIMIT ?)`
}
