import type { Value } from "../../codecs/value.ts"

/** The type of a parameter. A list is one parameter, such as in `= ANY(?)` and `unnest(?::text[])`. */
export type Parameter = Value | readonly Value[]
