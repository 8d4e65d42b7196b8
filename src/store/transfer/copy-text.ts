/**
 * Rows as PostgreSQL's COPY writes and reads them as text: a line a row, columns divided by tabs. What is sent is, byte by
 * byte, what the server sends back for the same rows, so one digest serves for both sides.
 * https://www.postgresql.org/docs/current/sql-copy.html
 */
import type { Value } from "../codecs/value.ts"

/** Throws `Unstorable` where PostgreSQL has no such text. */
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

// What COPY sets a backslash before, and NUL.
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
  if (escape === undefined)
    throw new Unstorable("a text holds the character NUL, which PostgreSQL does not take")
  return escape
}

export class Unstorable extends Error {
  override readonly name = "Unstorable"
}
