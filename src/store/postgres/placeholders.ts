/** SQL is written with `?`, as the rows have it; PostgreSQL numbers its parameters. */

export type NumberedSql = { readonly name: string; readonly text: string }

const known = new Map<string, NumberedSql>()

/** The statement with `$1`, `$2`, …, and the name that it is prepared under: the same on every connection. */
export function numbered(sql: string): NumberedSql {
  const before = known.get(sql)
  if (before !== undefined) return before
  let count = 0
  const statement = { name: `latchkey_${known.size}`, text: sql.replaceAll("?", () => `$${++count}`) }
  known.set(sql, statement)
  return statement
}
