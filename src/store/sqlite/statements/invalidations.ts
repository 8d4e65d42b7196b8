/** The log of invalidations for resource servers. Each entry is written with the change that causes it. */
import type { Invalidation } from "../../../model/invalidation.rules.ts"
import { INVALIDATIONS_KEPT } from "../../statements/expired.ts"
import type { Invalidations, RecordedInvalidation } from "../../list-shapes.ts"
import type { Connection } from "../engine/connection.ts"

export const INVALIDATE = "INSERT INTO invalidation (of, key) VALUES (?, ?)"

/** The parameter is the name of a group. */
export const INVALIDATE_MEMBERS = `
  INSERT INTO invalidation (of, key) SELECT DISTINCT 'account', user_id FROM membership WHERE group_name = ?`

/** Uses an id, and keeps no row up to it. */
export function invalidateEverything(connection: Connection): void {
  connection.run(INVALIDATE, "credential", "")
  connection.run("DELETE FROM invalidation")
}

type Row = { readonly id: number; readonly of: string; readonly key: string }

export function listInvalidations(connection: Connection, after: number, limit: number): Invalidations {
  const rows = connection.all<Row>(
    "SELECT id, of, key FROM invalidation WHERE id > ? ORDER BY id LIMIT ?",
    after,
    limit,
  )
  // SQLite stores the largest id that was ever assigned.
  const last =
    connection.one<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'invalidation'")?.seq ?? 0
  const oldest =
    connection.one<{ id: number | null }>("SELECT min(id) AS id FROM invalidation")?.id ?? last + 1
  return { last, isWhole: after <= last && after >= oldest - 1, rows: rows.map(invalidation) }
}

export function sweepInvalidations(connection: Connection, limit: number): number {
  return connection.run(
    `DELETE FROM invalidation WHERE id IN
       (SELECT id FROM invalidation WHERE id <= (SELECT max(id) FROM invalidation) - ? ORDER BY id LIMIT ?)`,
    INVALIDATIONS_KEPT,
    limit,
  )
}

function invalidation({ id, of, key }: Row): RecordedInvalidation {
  return { id, of, key } as { readonly id: number } & Invalidation
}
