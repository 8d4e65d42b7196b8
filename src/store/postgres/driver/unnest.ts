/** Many rows in one statement: a list for each column, side by side. */
import type { Value } from "../../codecs/value.ts"
import { binaryArray, type ElementType } from "./binary-array.ts"

/** Types of columns that are not text. */
const types: Readonly<Record<string, ElementType>> = {
  answered_at: "bigint",
  at: "bigint",
  code: "bytea",
  code_expires_at: "bigint",
  consented_at: "bigint",
  elevated_until: "bigint",
  ends_at: "bigint",
  family: "bytea",
  generation: "bigint",
  gone_at: "bigint",
  over_at: "bigint",
  rotated_at: "bigint",
  version: "integer",
}

const typeOf = (column: string): ElementType => types[column] ?? "text"

/** One parameter a column; each row has its values in the order of the columns. */
export function columnsOf(columns: readonly string[], rows: readonly (readonly Value[])[]): Buffer[] {
  return columns.map((column, place) =>
    binaryArray(
      typeOf(column),
      rows.map((row) => row[place] ?? null),
    ),
  )
}

/** What takes these parameters. */
export function unnested(columns: readonly string[]): string {
  return `unnest(${columns.map((column) => `?::${typeOf(column)}[]`).join(", ")})`
}
