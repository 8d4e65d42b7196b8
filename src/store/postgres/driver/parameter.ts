import type { Value } from "../../codecs/value.ts"

/** What a parameter may be: a list is one parameter, for `= ANY(?)` and `unnest(?::text[])`. */
export type Parameter = Value | readonly Value[]
