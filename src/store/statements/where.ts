/** Builds the WHERE clause of a list, together with its values. Both engines use it. */
import type { Page } from "../list-shapes.ts"
import type { Value } from "../codecs/value.ts"

export class Where {
  readonly #conditions: string[] = []
  readonly values: Value[] = []

  add(condition: string, ...values: readonly Value[]): void {
    this.#conditions.push(condition)
    this.values.push(...values)
  }

  /** Adds an equality. An undefined value adds nothing. */
  is(column: string, value: Value | undefined): void {
    if (value !== undefined) this.add(`${column} = ?`, value)
  }

  flag(column: string, value: boolean | undefined): void {
    if (value !== undefined) this.is(column, value ? 1 : 0)
  }

  /** Limits the rows to those that follow the last row of the previous page. */
  page(key: string, { after, newestFirst }: Page): void {
    if (after !== undefined) this.add(`${key} ${newestFirst === true ? "<" : ">"} ?`, after)
  }

  get sql(): string {
    return this.#conditions.length === 0 ? "" : `WHERE ${this.#conditions.join(" AND ")}`
  }
}

/** Returns the ORDER BY clause that `Where.page` needs. */
export function ordered(key: string, { newestFirst }: Page): string {
  return newestFirst === true ? `${key} DESC` : key
}
