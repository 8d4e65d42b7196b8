/**
 * Replaces NUL in parameters. PostgreSQL text cannot contain NUL, so a query would fail if a form contained one. A key
 * with the replacement matches no row.
 */
import type { Value } from "../../codecs/value.ts"
import type { Parameter } from "./parameter.ts"

/** A noncharacter (Unicode §23.7) replaces NUL. No stored text contains it. */
const INSTEAD = "\uffff"

export function withoutNul(values: readonly Parameter[]): Parameter[] {
  return values.some(hasNul) ? values.map(replaced) : [...values]
}

function hasNul(value: Parameter): boolean {
  if (typeof value === "string") return value.includes("\0")
  return isList(value) && value.some(hasNul)
}

function replaced(value: Parameter): Parameter {
  return isList(value) ? value.map(replacedIn) : replacedIn(value)
}

function replacedIn(value: Value): Value {
  return typeof value === "string" ? textWithoutNul(value) : value
}

/** Returns the text as it is sent. Callers use it to look up the returned rows. */
export function textWithoutNul(text: string): string {
  return text.replaceAll("\0", INSTEAD)
}

function isList(value: Parameter): value is readonly Value[] {
  return Array.isArray(value)
}
