/**
 * PostgreSQL text cannot contain NUL, and a query with one fails. Such a key matches no row, so it is not sent: otherwise
 * a NUL typed into a form would cause an error page.
 */
import type { Value } from "../../codecs/value.ts"
import type { Parameter } from "./parameter.ts"

/** A noncharacter (Unicode §23.7) that no stored text contains; sent in place of NUL. */
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

/** The text as it is sent, for callers that look for it in the result. */
export function textWithoutNul(text: string): string {
  return text.replaceAll("\0", INSTEAD)
}

function isList(value: Parameter): value is readonly Value[] {
  return Array.isArray(value)
}
