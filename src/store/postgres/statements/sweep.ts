/**
 * Deletes expired rows (docs/storage.md) in batches. Several nodes may sweep at once. Each node skips rows that another
 * session has locked, so no node waits.
 */
import {
  ASSERTIONS_KEPT_SECONDS,
  BROWSER_KNOWN_SECONDS,
  KEPT_AFTER_END_SECONDS,
  TALLIES_KEPT_SECONDS,
} from "../../../kernel/limits.ts"
import type { Grain } from "../../../model/tally.rules.ts"
import { metaKeys } from "../../store.ts"
import type { Database } from "../driver/database.ts"
import { endWithSessions } from "./end-with-sessions.ts"
import { sweepInvalidations } from "./invalidations.ts"

/** Deletes rows and returns their number, at most `limit` of each kind. Each statement is a transaction of its own. */
export async function sweep(
  database: Database,
  now: number,
  limit: number,
  eventsKept: number,
): Promise<number> {
  const kinds: readonly [sql: string, upTo: number][] = [
    [ofKind("credential", "token_id", "gone_at"), now],
    [ofKind("service_token", "access_hash", "expires_at"), now],
    [ofKind("imported_token", "token_hash", "ends_at"), now],
    [ofKind("device_grant", "grant_id", "gone_at"), now],
    [ofKind("session", "session_hash", "gone_at"), now],
    [ofKind("spent_ticket", "ticket_id", "spent_at"), now - KEPT_AFTER_END_SECONDS],
    [ASSERTIONS, now - ASSERTIONS_KEPT_SECONDS],
    [ofKnownBrowsers, now - BROWSER_KNOWN_SECONDS],
    [ofKind("event", "id", "at"), now - eventsKept],
    [ofKind("one_time_link", "link_hash", "expires_at"), now],
    [ofKind("outbox", "mail_id", "gone_at"), now],
    [ofKind("client", "client_id", "gone_at"), now],
    [ofTallies("minute"), now - TALLIES_KEPT_SECONDS.minute],
    [ofTallies("hour"), now - TALLIES_KEPT_SECONDS.hour],
    [ofTallies("day"), now - TALLIES_KEPT_SECONDS.day],
  ]
  let gone = await sweepInvalidations(database, limit)
  for (const [sql, upTo] of kinds) gone += await database.write((writer) => writer.run(sql, upTo, limit))
  return gone
}

/** This read comes first, because a session with credentials has rarely expired. */
export async function endExpiredSessions(database: Database, now: number, limit: number): Promise<number> {
  if (
    (await database.read.one("SELECT 1 AS one FROM session_credential WHERE ends_at < ? LIMIT 1", now)) ===
    null
  )
    return 0
  return database.write(async (writer) => {
    const [, ended = 0] = await Promise.all(
      endWithSessions((sql, ...values) => writer.run(sql, ...values), now, ENDED_SESSIONS, now, limit),
    )
    return ended
  })
}

const ENDED_SESSIONS = `token_id = ANY (ARRAY(${taken("session_credential", "token_id", "ends_at", "ends_at < ?")}))`

/**
 * Builds the statement for one kind of row. The keys are one array, so that the planner uses the index for any number
 * of keys.
 */
function ofKind(table: string, key: string, column: string): string {
  return `DELETE FROM ${table} WHERE ${key} = ANY (ARRAY(${taken(table, key, column, `${column} <= ?`)}))`
}

/** Deletes used assertions, and stores the latest of them. The rows of the result are counted. */
const ASSERTIONS = `
  WITH gone AS (
    ${ofKind("spent_assertion", "assertion_hash", "gone_at")} RETURNING gone_at
  ), swept AS (
    INSERT INTO meta AS m (key, value)
    SELECT '${metaKeys.assertionsSwept}', max(gone_at)::text FROM gone HAVING count(*) > 0
    ON CONFLICT (key) DO UPDATE SET value = greatest(excluded.value::bigint, m.value::bigint)::text
  )
  SELECT 1 AS one FROM gone`

const ofKnownBrowsers = `
  DELETE FROM known_browser WHERE (browser_hash, user_id) IN
    (${taken("known_browser", "browser_hash, user_id", "seen_at", "seen_at <= ?")})`

function ofTallies(grain: Grain): string {
  return `
    DELETE FROM tally WHERE (grain, at, client_id, name) IN
      (${taken("tally", "grain, at, client_id, name", "at", `grain = '${grain}' AND at <= ?`)})`
}

function taken(table: string, columns: string, order: string, condition: string): string {
  return `SELECT ${columns} FROM ${table} WHERE ${condition} ORDER BY ${order} LIMIT ? FOR UPDATE SKIP LOCKED`
}
