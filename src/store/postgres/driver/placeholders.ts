/** Numbers the parameters of a statement for PostgreSQL. The engine writes SQL with `?`. */
import { createHash } from "node:crypto"

export type NumberedSql = { readonly name: string; readonly text: string }

const known = new Map<string, NumberedSql>()

/**
 * Returns the statement with `$1`, `$2`, …, and its prepared name. Nodes can share the connections of a pooler, so one
 * name must always mean the same statement. The name is therefore derived from the text.
 */
export function numbered(sql: string): NumberedSql {
  const before = known.get(sql)
  if (before !== undefined) return before
  let count = 0
  const text = sql.replaceAll("?", () => `$${++count}`)
  const statement = {
    name: `latchkey_${createHash("sha256").update(text).digest("base64url").slice(0, 22)}`,
    text,
  }
  known.set(sql, statement)
  return statement
}
