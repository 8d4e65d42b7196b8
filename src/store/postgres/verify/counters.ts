/** Checks that each sequence is ahead of every stored number. A restore of single tables may set a sequence back. */
import type { Problem } from "../../list-shapes.ts"
import type { Reader } from "../driver/database.ts"

type Counted = { readonly given: number | null; readonly next: number | null }

/** `last_value` is null before the first number is assigned. */
const EVENTS = `
  SELECT (SELECT max(id) FROM event) AS given, coalesce(last_value, 0) + 1 AS next FROM pg_sequences
  WHERE format('%I.%I', schemaname, sequencename) = pg_get_serial_sequence('event', 'id')`

const INVALIDATIONS =
  "SELECT (SELECT max(id) FROM invalidation) AS given, id + 1 AS next FROM invalidation_last"

export async function counterProblems(reader: Reader): Promise<readonly Problem[]> {
  const invalidations = await reader.all<Counted>(INVALIDATIONS)
  return [
    ...behind("event", await reader.all<Counted>(EVENTS)),
    ...(invalidations.length === 1
      ? behind("invalidation", invalidations)
      : [{ table: "invalidation_last", key: "", problem: `it has ${invalidations.length} rows` }]),
  ]
}

function behind(table: string, rows: readonly Counted[]): Problem[] {
  return rows
    .filter(({ given, next }) => given !== null && (next ?? 0) <= given)
    .map(({ given }) => ({
      table,
      key: String(given),
      problem: "the next id is not greater than this one",
    }))
}
