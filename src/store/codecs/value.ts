/** What a column holds, in either engine. Flags are 0 and 1. */
export type Value = string | number | Uint8Array | null
