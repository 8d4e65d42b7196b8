/** Creates a database with many rows, in the schema from before all migrations were merged. */
import assert from "node:assert/strict"
import { DatabaseSync } from "node:sqlite"
import { FIRST_VERSION, versionOfLast } from "../../src/store/schema-steps.ts"
import { schema } from "../../src/store/sqlite/migrate.ts"
import { fillOldSqlite } from "../../test/store/before-squash.ts"

export const THIS_VERSION = versionOfLast(schema)

/** Creates the database. Each credential gets `copies` further copies. Returns the number of accounts. */
export function fillOldDatabase(file: string, copies: number): number {
  fillOldSqlite(file)
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false })
  try {
    database.exec(copyCredentials(database, copies))
    return Number(database.prepare("SELECT count(*) AS n FROM account").get()?.["n"])
  } finally {
    database.close()
  }
}

/**
 * Returns SQL that copies credentials. Each copy has its own identifier and rowid and is found through
 * `credential_aside`.
 */
function copyCredentials(database: DatabaseSync, copies: number): string {
  const columns = database
    .prepare("SELECT name FROM pragma_table_info('credential_row')")
    .all()
    .map(({ name }) => String(name))
    .filter((name) => name !== "id" && name !== "token_id")
    .join(", ")
  return `
    CREATE TEMP TABLE last AS SELECT max(id) AS id FROM credential_row;
    WITH RECURSIVE copy (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copy WHERE n < ${copies})
    INSERT INTO credential_row (token_id, ${columns})
    SELECT printf('%010d%016d', n, credential_row.rowid % 10000000000000000), ${columns} FROM credential_row, copy;
    INSERT INTO credential_aside (id, token_id)
    SELECT id, token_id FROM credential_row WHERE id > (SELECT id FROM last);`
}

export function schemaVersion(file: string): number {
  return numberIn(file, "PRAGMA user_version", "user_version")
}

/** Each step commits by itself, so a migration that ends early leaves the version of the step before. */
export function assertVersionOfStep(version: number): void {
  const isStep = version >= FIRST_VERSION && version <= THIS_VERSION
  assert.ok(isStep || version === schema.carryOver.from, `version ${version}`)
}

export function credentialsIn(file: string): number {
  return numberIn(file, "SELECT count(*) AS n FROM credential_row", "n")
}

function numberIn(file: string, sql: string, column: string): number {
  const database = new DatabaseSync(file)
  try {
    return Number(database.prepare(sql).get()?.[column])
  } finally {
    database.close()
  }
}
