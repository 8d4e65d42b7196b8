/** Paging of lists: `?after=&limit=`. The response contains the key of the next page. */
import { DOCUMENT_URL_BYTES_AT_MOST } from "../../kernel/limits.ts"
import type { Page } from "../../store/list-shapes.ts"
import { isEventKey, paged } from "../../store/paged.ts"
import {
  list,
  optional,
  orNull,
  record,
  type Shape,
  text,
  integer,
  refined,
} from "../../platform/json/shape.rules.ts"

const LIMIT = { byDefault: 100, most: 500 } as const

const limit = optional(
  integer(`The most items to return. Default: ${LIMIT.byDefault}.`, LIMIT.byDefault, {
    least: 1,
    most: LIMIT.most,
  }),
)

const key = text("The `next` of the previous page.", "01k3v7m2q8xj5c9d4e6f7g8h9j", {
  most: DOCUMENT_URL_BYTES_AT_MOST,
})

const NOT_A_KEY = "is not the `next` of a page."

/** Returns the query parameters of a list. `isKey` says whether a text can be the key of one of its rows. */
export function pagingBy(isKey: (text: string) => boolean) {
  return { after: optional(refined(key, isKey, NOT_A_KEY)), limit }
}

/** The query parameters of a list of events. Their keys are numbers. */
export const numberPaging = pagingBy(isEventKey)

export type Paging = { readonly after?: string | undefined; readonly limit?: number | undefined }

export type PageOf<T> = { readonly items: readonly T[]; readonly next: string | null }

export const next = orNull(
  text("The `after` of the next page. Null on the last page.", "01k3v7m2q8xj5c9d4e6f7g8h9j"),
  null,
)

export function pageOf<T>(name: string, item: Shape<T>): Shape<PageOf<T>> {
  return record(name, { items: list("The items of this page.", item), next })
}

export async function readPage<Row>(
  { after, limit: most = LIMIT.byDefault }: Paging,
  read: (page: Page) => Promise<readonly Row[]>,
  keyOf: (row: Row) => string,
): Promise<PageOf<Row>> {
  const { rows, next: following } = await paged(read, keyOf, { after, limit: most })
  return { items: rows, next: following }
}

export function mapPage<Row, T>(
  { items, next: following }: PageOf<Row>,
  toRecord: (row: Row) => T,
): PageOf<T> {
  return { items: items.map(toRecord), next: following }
}
