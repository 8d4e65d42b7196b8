/** Deletes expired rows (docs/storage.md) in batches. Each batch has the write lock only briefly. */
import { ASSERTIONS_KEPT_SECONDS } from "../../../kernel/limits.ts"
import { DAY } from "../../../kernel/time.ts"
import { ANY_EXPIRED_SESSION, type Expired, expiredRows } from "../../statements/expired.ts"
import { metaKeys } from "../../loadable.ts"
import type { Connection } from "../engine/connection.ts"
import { endWithSessions } from "./apply.ts"
import { sweepInvalidations } from "./invalidations.ts"
import { indexNewEvents } from "./new-events.ts"

/** Deletes rows and returns their number, at most `limit` of each kind. */
export function sweep(connection: Connection, now: number, limit: number, eventsKept: number): number {
  let gone = connection.transaction(() => sweepInvalidations(connection, limit))
  gone += connection.transaction(() => sweepAssertions(connection, now - ASSERTIONS_KEPT_SECONDS, limit))
  if (connection.one(OLD_AMONG_NEW, now - eventsKept) !== null)
    connection.transaction(() => indexNewEvents(connection))
  for (const expired of [
    { table: "credential_row", key: ["id"], column: "gone", upTo: Math.floor(now / DAY) },
    { table: "event_row", key: ["id"], column: "at", upTo: now - eventsKept },
    ...expiredRows(now),
  ]) {
    const removed = connection.transaction(() => connection.run(deletionOf(expired), expired.upTo, limit))
    if (removed > 0 && CACHED.has(expired.table)) connection.rows.forget()
    gone += removed
  }
  return gone
}

/** Ends the credentials whose session has expired. Returns their number. */
export function endExpiredSessions(connection: Connection, now: number, limit: number): number {
  if (connection.one(ANY_EXPIRED_SESSION, now) === null) return 0
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
const ASSERTIONS = deletionOf({ table: "spent_assertion", key: ["assertion_hash"], column: "gone_at" })

/** Finds expired events in `event_new`. These must first move to `event_row`, because only that table is swept. */
const OLD_AMONG_NEW = "SELECT 1 FROM event_new WHERE at <= ? LIMIT 1"

const ENDED_SESSIONS =
  "token_id IN (SELECT token_id FROM session_credential WHERE ends_at < ? ORDER BY ends_at LIMIT ?)"

/** Only these deletions change cached rows: apps, and the numbers of apps and accounts. */
const CACHED: ReadonlySet<string> = new Set(["credential_row", "client"])

function deletionOf({ table, key, column, and = "true" }: Omit<Expired, "upTo">): string {
  return `
    DELETE FROM ${table} WHERE (${key.join(", ")}) IN
      (SELECT ${key.join(", ")} FROM ${table} WHERE ${column} <= ? AND ${and} ORDER BY ${column} LIMIT ?)`
}
