/** Statements that both engines run. A parameter is `?`. The driver of PostgreSQL numbers the parameters once. */
import type { Value } from "../codecs/value.ts"

/** A write. If `row` is set, the write must find this row. */
export type Statement = {
  readonly sql: string
  readonly values: readonly Value[]
  readonly row?: { readonly table: string; readonly key: string }
}

export const write = (sql: string, ...values: Value[]): Statement => ({ sql, values })

/** Writes a row that must exist. */
export const update = (table: string, key: string, sql: string, values: readonly Value[]): Statement => ({
  sql,
  values,
  row: { table, key },
})

export function missingRow({ table, key }: { readonly table: string; readonly key: string }): Error {
  return new Error(`there is no ${table} ${key} to change`)
}
