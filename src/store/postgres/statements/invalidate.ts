/** Stores the invalidations of a change, as the last statement of its transaction. */
import type { Change } from "../../../model/change.rules.ts"
import { EVERYTHING, type Invalidation, invalidationOf } from "../../../model/invalidation.rules.ts"
import { binaryArray } from "../driver/binary-array.ts"
import type { Connection } from "../driver/connection.ts"

/**
 * Locks the only row of `invalidation_last` until the commit. Ids are therefore committed in order. A reader that has
 * seen an id has missed no lower one.
 */
const INVALIDATE = `
  WITH stale AS (
    SELECT * FROM unnest(?::text[], ?::text[]) WITH ORDINALITY AS stale (of, key, place)
  ), newest AS (
    UPDATE invalidation_last SET id = id + ? RETURNING id
  )
  INSERT INTO invalidation (id, of, key)
  SELECT newest.id - ? + stale.place, stale.of, stale.key FROM newest CROSS JOIN stale`

/** Invalidates the accounts of a group. The parameter is its name. */
export const INVALIDATE_MEMBERS = `
  WITH stale AS (
    SELECT user_id, row_number() OVER (ORDER BY user_id) AS place
    FROM (SELECT DISTINCT user_id FROM membership WHERE group_name = ?) AS member
  ), newest AS (
    UPDATE invalidation_last SET id = id + (SELECT count(*) FROM stale) WHERE EXISTS (SELECT 1 FROM stale)
    RETURNING id
  )
  INSERT INTO invalidation (id, of, key)
  SELECT newest.id - (SELECT count(*) FROM stale) + stale.place, 'account', stale.user_id
  FROM newest CROSS JOIN stale`

/** Uses an id, and keeps no row up to it. The second statement sees what was committed before the lock of the first. */
const INVALIDATE_EVERYTHING = ["UPDATE invalidation_last SET id = id + 1", "DELETE FROM invalidation"]

/** Sends the statements at once, before the caller sends the commit, if the changes invalidate any cached check. */
export async function invalidate(connection: Connection, changes: readonly Change[]): Promise<void> {
  const stale = changes.map((change) => invalidationOf(change))
  const sent: Promise<unknown>[] = stale.includes(EVERYTHING)
    ? INVALIDATE_EVERYTHING.map((sql) => connection.query(sql, []))
    : []
  const invalidations = stale.filter((one): one is Invalidation => one !== null && one !== EVERYTHING)
  if (invalidations.length > 0) sent.push(add(connection, invalidations))
  await Promise.all(sent)
}

async function add(connection: Connection, invalidations: readonly Invalidation[]): Promise<void> {
  const [of, key] = [invalidations.map((one) => one.of), invalidations.map((one): string => one.key)]
  await connection.query(INVALIDATE, [
    binaryArray("text", of),
    binaryArray("text", key),
    invalidations.length,
    invalidations.length,
  ])
}
