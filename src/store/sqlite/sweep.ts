/** Removes rows whose time has gone (docs/storage.md), in batches that keep the lock for a moment only. */
import { BROWSER_KNOWN_SECONDS, KEPT_AFTER_END_SECONDS } from "../../core/limits.ts"
import type { Connection } from "./connection.ts"

/** Answers how many rows went; at most `limit` of a kind do. */
export function sweep(connection: Connection, now: number, limit: number, eventsKept: number): number {
  const kinds: readonly [sql: string, upTo: number][] = [
    [ofKind("credential", "id", "gone_at"), now],
    [ofKind("device_grant", "grant_id", "expires_at"), now - KEPT_AFTER_END_SECONDS],
    [ofKind("session", "session_hash", "gone_at"), now],
    [ofKind("spent_ticket", "ticket_id", "spent_at"), now - KEPT_AFTER_END_SECONDS],
    [ofKind("known_browser", "(browser_hash, user_id)", "seen_at"), now - BROWSER_KNOWN_SECONDS],
    [ofKind("event", "id", "at"), now - eventsKept],
  ]
  let gone = 0
  for (const [sql, upTo] of kinds) {
    gone += connection.transaction("IMMEDIATE", () => connection.run(sql, upTo, limit))
  }
  return gone
}

function ofKind(table: string, key: string, column: string): string {
  const columns = key.replace(/[()]/g, "")
  return `
    DELETE FROM ${table} WHERE ${key} IN
      (SELECT ${columns} FROM ${table} WHERE ${column} <= ? ORDER BY ${column} LIMIT ?)`
}
