/** Sends many rows in one statement. Each column is sent as one list. */
import type { Value } from "../../codecs/value.ts"
import { binaryArray, type ElementType } from "./binary-array.ts"

/** The types of columns that are not text. */
const types: Readonly<Record<string, ElementType>> = {
  answered_at: "bigint",
  at: "bigint",
  code: "bytea",
  code_expires_at: "bigint",
  consented_at: "bigint",
  count: "bigint",
  elevated_until: "bigint",
  ends_at: "bigint",
  expires_at: "bigint",
  family: "bytea",
  generation: "bigint",
  gone_at: "bigint",
  issued_at: "bigint",
  over_at: "bigint",
  rotated_at: "bigint",
  version: "integer",
}

const typeOf = (column: string): ElementType => types[column] ?? "text"

/** Returns one parameter for each column. Each row lists its values in the order of the columns. */
export function columnsOf(columns: readonly string[], rows: readonly (readonly Value[])[]): Buffer[] {
  return columns.map((column, place) =>
    binaryArray(
      typeOf(column),
      rows.map((row) => row[place] ?? null),
    ),
  )
}

/** Returns the SQL that reads the parameters from `columnsOf`. */
export function unnested(columns: readonly string[]): string {
  return `unnest(${columns.map((column) => `?::${typeOf(column)}[]`).join(", ")})`
}
