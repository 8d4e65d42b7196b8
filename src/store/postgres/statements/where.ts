/**
 * The conditions of a list that must not be left to the planner. What it knows of how columns hang together is little, and
 * of a prepared statement's values nothing: it would walk the whole table in the order of the list for the few rows that an
 * index leads to.
 */
import type { Value } from "../../codecs/value.ts"
import { Where } from "../../codecs/where.ts"

export class LedWhere extends Where {
  /**
   * Undefined means any. As `is`, said in a way that lets the order of the list begin with the column: only an index that
   * begins with it has that order.
   */
  led(column: string, value: Value | undefined): void {
    if (value !== undefined) this.add(`${column} BETWEEN ? AND ?`, value, value)
  }

  /** Undefined means any. As `is`, of a text; no index on the column is used. */
  beside(column: string, value: string | undefined): void {
    if (value !== undefined) this.add(`${column} || '' = ?`, value)
  }
}
