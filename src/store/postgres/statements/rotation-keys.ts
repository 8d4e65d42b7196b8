/**
 * The rotation keys that all nodes share. If several nodes propose a key for the same half minute, the first key is
 * used.
 */
import type { RotationKeys } from "../../../model/rotation-key.rules.ts"
import type { Span } from "../../list-shapes.ts"
import type { Database } from "../driver/database.ts"

const REMOVE = "DELETE FROM rotation_key WHERE half_minute < ? OR half_minute > ?"

/** The order is fixed, so that nodes that propose the same keys do not deadlock. */
const PROPOSE = `
  INSERT INTO rotation_key (half_minute, key)
  SELECT half_minute, key FROM unnest(?::bigint[], ?::text[]) AS proposed (half_minute, key) ORDER BY half_minute
  ON CONFLICT DO NOTHING`

const KEPT = "SELECT half_minute, key FROM rotation_key WHERE half_minute BETWEEN ? AND ?"

export async function keepRotationKeys(
  database: Database,
  { first, last }: Span,
  proposed: RotationKeys,
): Promise<RotationKeys> {
  const rows = await database.write(async (writer) => {
    await writer.run(REMOVE, first, last)
    await writer.run(PROPOSE, [...proposed.keys()], [...proposed.values()])
    return writer.all<{ half_minute: number; key: string }>(KEPT, first, last)
  })
  return new Map(rows.map(({ half_minute, key }) => [half_minute, key]))
}
