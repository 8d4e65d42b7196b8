/** Reads whole lists, page by page. */
import type { Page } from "./list-shapes.ts"

const ROWS_A_PAGE = 500

/** Returns all rows of a list. `read` returns a page. The next page begins after the key that `keyOf` returns. */
export async function all<Row>(
  read: (page: Page) => Promise<readonly Row[]>,
  keyOf: (row: Row) => string,
): Promise<readonly Row[]> {
  const rows: Row[] = []
  let after: string | undefined
  for (;;) {
    const page = await read({ after, limit: ROWS_A_PAGE })
    rows.push(...page)
    const last = page.at(-1)
    if (last === undefined || page.length < ROWS_A_PAGE) return rows
    after = keyOf(last)
  }
}
