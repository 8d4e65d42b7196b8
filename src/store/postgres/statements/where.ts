/**
 * Conditions that force the choice of an index. The planner does not know the values of a prepared statement and knows
 * little about correlated columns. Without them, it would read the whole table in the order of the list.
 */
import type { Value } from "../../codecs/value.ts"
import { Where } from "../../statements/where.ts"

export class LedWhere extends Where {
  /**
   * Adds an equality as a range. An undefined value adds nothing. With the range, only an index that begins with
   * `column` can sort by `column`.
   */
  led(column: string, value: Value | undefined): void {
    if (value !== undefined) this.add(`${column} BETWEEN ? AND ?`, value, value)
  }

  /** Adds an equality that no index supports. An undefined value adds nothing. */
  beside(column: string, value: string | undefined): void {
    if (value !== undefined) this.add(`${column} || '' = ?`, value)
  }
}
