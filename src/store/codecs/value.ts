/** The type of a column's value in both engines. Flags are the numbers 0 and 1. */
export type Value = string | number | Uint8Array | null
