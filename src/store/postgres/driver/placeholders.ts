/** SQL is written with `?`, as the rows have it; PostgreSQL numbers its parameters. */
import { createHash } from "node:crypto"

export type NumberedSql = { readonly name: string; readonly text: string }

const known = new Map<string, NumberedSql>()

/**
 * The statement with `$1`, `$2`, …, and the name that it is prepared under. The name says what is in it, so that nodes that
 * share the connections of a pooler never mean different statements by one.
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
