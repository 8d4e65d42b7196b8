/** Tells resource servers what a change made stale: the last that its transaction writes. */
import type { Change } from "../../../records/change.rules.ts"
import { type Invalidation, invalidationOf } from "../../../records/invalidation.rules.ts"
import { binaryArray } from "../driver/binary-array.ts"
import type { Connection } from "../driver/connection.ts"

/**
 * Locks the one row of `invalidation_last` until the commit. So numbers are committed in order, and a reader that has seen
 * one has missed none before it.
 */
const INVALIDATE = `
  WITH stale AS (
    SELECT * FROM unnest(?::text[], ?::text[]) WITH ORDINALITY AS stale (of, key, place)
  ), newest AS (
    UPDATE invalidation_last SET id = id + ? RETURNING id
  )
  INSERT INTO invalidation (id, of, key)
  SELECT newest.id - ? + stale.place, stale.of, stale.key FROM newest CROSS JOIN stale`

/** Sends the statement, where there is anything to tell. */
export async function invalidate(connection: Connection, changes: readonly Change[]): Promise<void> {
  const invalidations: Invalidation[] = changes
    .map((change) => invalidationOf(change))
    .filter((one) => one !== null)
  if (invalidations.length === 0) return
  const [of, key] = [invalidations.map((one) => one.of), invalidations.map((one): string => one.key)]
  await connection.query(INVALIDATE, [
    binaryArray("text", of),
    binaryArray("text", key),
    invalidations.length,
    invalidations.length,
  ])
}
