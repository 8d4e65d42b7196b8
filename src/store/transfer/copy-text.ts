/**
 * Formats rows as text for PostgreSQL's COPY. Each row is a line, and tabs separate columns. The server returns the
 * same bytes for the same rows, so one digest can compare both sides.
 * https://www.postgresql.org/docs/current/sql-copy.html
 */
import type { Value } from "../codecs/value.ts"

/** Formats a row. Throws `Unstorable` for a text that PostgreSQL cannot store. */
export function copyLine(row: readonly Value[]): string {
  let line = ""
  for (let i = 0; i < row.length; i++) {
    if (i > 0) line += "\t"
    line += copyField(row[i] ?? null)
  }
  return `${line}\n`
}

function copyField(value: Value): string {
  if (value === null) return "\\N"
  if (typeof value === "number") return String(value)
  if (typeof value === "string") return SPECIAL.test(value) ? value.replace(ALL_SPECIAL, escaped) : value
  return `\\\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("hex")}`
}

// COPY escapes these characters. NUL is included too.
const SPECIAL = /[\0\b\t\n\v\f\r\\]/
const ALL_SPECIAL = new RegExp(SPECIAL, "g")

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["\b", "\\b"],
  ["\t", "\\t"],
  ["\n", "\\n"],
  ["\v", "\\v"],
  ["\f", "\\f"],
  ["\r", "\\r"],
  ["\\", "\\\\"],
])

function escaped(character: string): string {
  const escape = ESCAPES.get(character)
  if (escape === undefined) throw new Unstorable("a text contains the character NUL")
  return escape
}

export class Unstorable extends Error {
  override readonly name = "Unstorable"
}
