/** The position of a page in a console list. An invalid key stands for the first page. */
import { isRowKey } from "../../kernel/identifier.ts"
import type { Paging } from "../../platform/ui/console/list.ts"
import type { Paged, PageRequest } from "../../store/paged.ts"
import { type AccountRequest, fieldOf } from "../../accounts/guards/account-request.ts"

export const ROWS_A_PAGE = 50

/** The number of rows in each list on the page of an account or app. */
export const ROWS_IN_SHORT = 10

export function pageOf(request: AccountRequest, isKey: (text: string) => boolean = isRowKey): PageRequest {
  const after = fieldOf(request, "after")
  return { after: isKey(after) ? after : undefined, limit: ROWS_A_PAGE, newestFirst: true }
}

export function pagingOf({ after }: PageRequest, { next }: Paged<unknown>): Paging {
  return { next, isFirst: after === undefined }
}
