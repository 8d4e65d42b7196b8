/** The check of events, for the two tables that the embedded database keeps them in. */
import { eventColumns } from "../../codecs/event-row.ts"
import type { Check } from "../../verify/checks.ts"

const ROWS = `
  SELECT ${eventColumns},
    id IN (SELECT id FROM event_new)
      AND id <= (SELECT seq FROM sqlite_sequence WHERE name = 'event_row') AS is_misplaced
  FROM event WHERE id > ? ORDER BY id LIMIT ?`

/** Reads both tables at once, because events may move between two pages. New events have higher ids than all others. */
export function eventCheck(neutral: Check): Check {
  return {
    table: neutral.table,
    page: (after, limit) => ({ sql: ROWS, values: [after?.[0] ?? Number.MIN_SAFE_INTEGER, limit] }),
    look: (rows, limit, found) => {
      for (const { id, is_misplaced: isMisplaced } of rows)
        if (isMisplaced === 1) found(String(id), "it is new, and its number is one of those before")
      return neutral.look(rows, limit, found)
    },
  }
}
