/** Reads a page of a console list. An invalid key stands for the first page. */
import { isRowKey } from "../../kernel/identifier.ts"
import type { Paging } from "../../platform/ui/console/list.ts"
import { paged } from "../../store/paged.ts"
import type { Page } from "../../store/list-shapes.ts"
import { type AccountRequest, fieldOf } from "../../accounts/guards/account-request.ts"

const ROWS_A_PAGE = 50

/** The number of rows in each list on the page of an account or app. */
export const ROWS_IN_SHORT = 10

type ListPage<Row> = { readonly rows: readonly Row[]; readonly paging: Paging }

/** Reads the page of a list that the request names. `read` is null if the filter is not valid. */
export async function listPage<Row>(
  request: AccountRequest,
  read: ((page: Page) => Promise<readonly Row[]>) | null,
  keyOf: (row: Row) => string,
  isKey: (text: string) => boolean = isRowKey,
): Promise<ListPage<Row>> {
  const named = fieldOf(request, "after")
  const after = isKey(named) ? named : undefined
  const isFirst = after === undefined
  if (read === null) return { rows: [], paging: { next: null, isFirst } }
  const { rows, next } = await paged(read, keyOf, { after, limit: ROWS_A_PAGE, newestFirst: true })
  return { rows, paging: { next, isFirst } }
}
