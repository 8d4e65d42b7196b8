/**
 * Migrates version 12 to version 20. After version 12, all migrations were merged into one schema. SQLite can add a
 * constraint only to a new table, so every table is copied. This step will be removed with 1.0.
 */
import type { DatabaseSync } from "node:sqlite"
import { indexes } from "./0020-0029/0020-initial.ts"
import { tables } from "./0020-0029/0020-tables.ts"

/** The order in which tables are copied. A table comes after the tables that it refers to. */
const order = [
  ...["account", "client", "icon", "name", "scope", "credential_row", "credential_aside", "device_grant"],
  ...["factor", "session", "known_browser", "code_tries", "spent_ticket", "setting", "meta", "setup_link"],
  ...["event_row", "event_new", "tally", "invalidation"],
]

export function carryOver(database: DatabaseSync): void {
  for (const { type, name } of schemaOf(database)) database.exec(`DROP ${String(type)} ${String(name)}`)
  for (const table of order) database.exec(`ALTER TABLE ${table} RENAME TO old_${table}`)
  database.exec(tables)
  for (const table of order) {
    const columns = columnsOf(database, table)
    database.exec(`INSERT INTO ${table} (${columns}) SELECT ${columns} FROM old_${table}`)
  }
  // New ids continue after the last id, even if its row was deleted.
  database.exec(`
    DELETE FROM sqlite_sequence WHERE name NOT LIKE 'old\\_%' ESCAPE '\\';
    INSERT INTO sqlite_sequence (name, seq) SELECT substr(name, 5), seq FROM sqlite_sequence`)
  for (const table of order.toReversed()) database.exec(`DROP TABLE old_${table}`)
  database.exec(indexes)
}

/**
 * Lists the views, triggers and indexes to drop before the copy. Views and triggers refer to the old tables. An index
 * keeps its name when its table is renamed.
 */
function schemaOf(database: DatabaseSync) {
  const sql = `SELECT type, name FROM sqlite_schema WHERE type <> 'table' AND sql IS NOT NULL
    ORDER BY type IN ('view', 'trigger') DESC`
  return database.prepare(sql).all()
}

function columnsOf(database: DatabaseSync, table: string): string {
  const columns = database.prepare("SELECT name FROM pragma_table_info(?)").all(table)
  return columns.map(({ name }) => String(name)).join(", ")
}
