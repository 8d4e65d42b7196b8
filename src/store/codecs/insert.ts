/** Builds statements that insert a row. `columns` are separated by commas. Each has one parameter, in their order. */

export function insertInto(table: string, columns: string): string {
  const parameters = columns.split(",").map(() => "?")
  return `INSERT INTO ${table} (${columns}) VALUES (${parameters.join(", ")})`
}

/** If there is a row with this `key`, sets its `changing` columns. By default, these are all but the key. */
export function upsertInto(table: string, key: string, columns: string, changing?: string): string {
  const keys = key.split(", ")
  const changed = changing?.split(", ") ?? columns.split(", ").filter((column) => !keys.includes(column))
  const assignments = changed.map((column) => `${column} = excluded.${column}`)
  return `${insertInto(table, columns)} ON CONFLICT (${key}) DO UPDATE SET ${assignments.join(", ")}`
}
