/**
 * Deletes expired rows (docs/storage.md) in batches. Several nodes may sweep at once. Each node skips rows that another
 * session has locked, so no node waits.
 */
import { ASSERTIONS_KEPT_SECONDS } from "../../../kernel/limits.ts"
import { ANY_EXPIRED_SESSION, type Expired, expiredRows } from "../../statements/expired.ts"
import { metaKeys } from "../../loadable.ts"
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
  const kinds = [
    { table: "credential", key: ["token_id"], column: "gone_at", upTo: now },
    { table: "event", key: ["id"], column: "at", upTo: now - eventsKept },
    ...expiredRows(now),
  ]
  let gone = await sweepInvalidations(database, limit)
  const upTo = now - ASSERTIONS_KEPT_SECONDS
  gone += await database.write((writer) => writer.run(ASSERTIONS, upTo, limit))
  for (const expired of kinds)
    gone += await database.write((writer) => writer.run(deletionOf(expired), expired.upTo, limit))
  return gone
}

/** This read comes first, because a session with credentials has rarely expired. */
export async function endExpiredSessions(database: Database, now: number, limit: number): Promise<number> {
  if ((await database.read.one(ANY_EXPIRED_SESSION, now)) === null) return 0
  return database.write(async (writer) => {
    const [, ended = 0] = await Promise.all(
      endWithSessions((sql, ...values) => writer.run(sql, ...values), now, ENDED_SESSIONS, now, limit),
    )
    return ended
  })
}

const ENDED_SESSIONS = `token_id = ANY (ARRAY(${taken("session_credential", "token_id", "ends_at", "ends_at < ?")}))`

/**
 * A key of one column is one array, so that the planner uses the index for any number of keys.
 */
function deletionOf({ table, key, column, and = "true" }: Omit<Expired, "upTo">): string {
  const columns = key.join(", ")
  const found = taken(table, columns, column, `${column} <= ? AND ${and}`)
  return `DELETE FROM ${table} WHERE ${key.length === 1 ? `${columns} = ANY (ARRAY(${found}))` : `(${columns}) IN (${found})`}`
}

/** Deletes used assertions, and stores the latest of them. The rows of the result are counted. */
const ASSERTIONS = `
  WITH gone AS (
    ${deletionOf({ table: "spent_assertion", key: ["assertion_hash"], column: "gone_at" })} RETURNING gone_at
  ), swept AS (
    INSERT INTO meta AS m (key, value)
    SELECT '${metaKeys.assertionsSwept}', max(gone_at)::text FROM gone HAVING count(*) > 0
    ON CONFLICT (key) DO UPDATE SET value = greatest(excluded.value::bigint, m.value::bigint)::text
  )
  SELECT 1 AS one FROM gone`

function taken(table: string, columns: string, order: string, condition: string): string {
  return `SELECT ${columns} FROM ${table} WHERE ${condition} ORDER BY ${order} LIMIT ? FOR UPDATE SKIP LOCKED`
}
