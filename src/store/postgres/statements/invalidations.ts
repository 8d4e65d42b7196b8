/** Reads the log of invalidations for resource servers. */
import type { Invalidation } from "../../../model/invalidation.rules.ts"
import { INVALIDATIONS_KEPT } from "../../statements/expired.ts"
import type { Invalidations, RecordedInvalidation } from "../../list-shapes.ts"
import type { Database, Reader } from "../driver/database.ts"

type Row = {
  readonly last: number
  readonly oldest: number | null
  /** The value is null if there is no new invalidation. */
  readonly id: number | null
  readonly of: string
  readonly key: string
}

/**
 * One statement reads one consistent view, which contains every row up to `last`. Every change writes the row of `last`
 * at its end and locks it until the commit.
 */
const AFTER = `
  SELECT newest.id AS last, (SELECT min(id) FROM invalidation) AS oldest, later.id, later.of, later.key
  FROM invalidation_last AS newest
  LEFT JOIN (SELECT id, of, key FROM invalidation WHERE id > ? ORDER BY id LIMIT ?) AS later ON true
  ORDER BY later.id`

export async function listInvalidations(
  reader: Reader,
  after: number,
  limit: number,
): Promise<Invalidations> {
  const found = await reader.all<Row>(AFTER, after, limit)
  const last = found[0]?.last ?? 0
  const oldest = found[0]?.oldest ?? last + 1
  return { last, isWhole: after <= last && after >= oldest - 1, rows: found.flatMap(recorded) }
}

function recorded({ id, of, key }: Row): RecordedInvalidation[] {
  return id === null ? [] : [{ id, of, key } as { readonly id: number } & Invalidation]
}

export function sweepInvalidations(database: Database, limit: number): Promise<number> {
  return database.write((writer) => writer.run(OLDEST, INVALIDATIONS_KEPT, limit))
}

const OLDEST = `
    DELETE FROM invalidation WHERE id = ANY (ARRAY(
       SELECT id FROM invalidation WHERE id <= (SELECT id FROM invalidation_last) - ?
       ORDER BY id LIMIT ? FOR UPDATE SKIP LOCKED))`
