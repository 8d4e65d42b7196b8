/** The codec of a table that stores each member of a model type in one column, in the order of the table. */
import type { Value } from "./value.ts"

/** The column of each member. Every value is stored as it is. */
export type Columns<T> = { readonly [M in keyof T]: string }

export type RowOf<T, C extends Columns<T>> = { readonly [M in keyof T as C[M]]: T[M] }

export function columnText(columns: Readonly<Record<string, string>>): string {
  return Object.values(columns).join(", ")
}

export function decode<T, C extends Columns<T>>(columns: C, row: RowOf<T, C>): T {
  const values = row as Readonly<Record<string, unknown>>
  const members = Object.entries<string>(columns).map(([member, column]) => [member, values[column]] as const)
  return Object.fromEntries(members) as T
}

export function encode<T>(columns: Columns<T>, of: T): Value[] {
  return Object.keys(columns).map((member) => of[member as keyof T] as Value)
}
