/** Where a page of a list begins. An invalid key is the first page. */
import { isIdentifier } from "../kernel/identifier.ts"
import type { Paging } from "../ui/console/list.ts"
import type { Paged, PageAsked } from "../audit/paged.ts"
import { fieldOf, type ConsoleRequest } from "./console-page.ts"

export const ROWS_A_PAGE = 50

/** The rows of each list on the page of an account or app. */
export const ROWS_IN_SHORT = 10

export function pageOf(visit: ConsoleRequest, isKey: (text: string) => boolean = isIdentifier): PageAsked {
  const after = fieldOf(visit, "after")
  return { after: isKey(after) ? after : undefined, limit: ROWS_A_PAGE, newestFirst: true }
}

export function pagingOf({ after }: PageAsked, { next }: Paged<unknown>): Paging {
  return { next, isFirst: after === undefined }
}

/** The number of an event. */
export function isEventKey(text: string): boolean {
  return /^[1-9][0-9]{0,14}$/.test(text)
}
