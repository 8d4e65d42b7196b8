/** Checks events in SQLite's two tables. */
import { eventColumns } from "../../codecs/event-row.ts"
import type { Check } from "../../verify/checks.ts"

const ROWS = `
  SELECT ${eventColumns},
    id IN (SELECT id FROM event_new)
      AND id <= (SELECT seq FROM sqlite_sequence WHERE name = 'event_row') AS is_misplaced
  FROM event WHERE id > ? ORDER BY id LIMIT ?`

/** Both tables are read together, because events may move between two pages. New events have the highest ids. */
export function eventCheck(neutral: Check): Check {
  return {
    table: neutral.table,
    page: (after, limit) => ({ sql: ROWS, values: [after?.[0] ?? Number.MIN_SAFE_INTEGER, limit] }),
    look: (rows, limit, found) => {
      for (const { id, is_misplaced: isMisplaced } of rows)
        if (isMisplaced === 1)
          found(String(id), "the id of a new event is not greater than the ids of indexed events")
      return neutral.look(rows, limit, found)
    },
  }
}
