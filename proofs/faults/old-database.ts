/** Databases as earlier versions of the service left them, with rows in them. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { Value } from "../../src/store/codecs/value.ts"
import { connect } from "../../src/store/sqlite/engine/connection.ts"
import { migrate, migrations } from "../../src/store/sqlite/migrate.ts"

type Rows = Readonly<Record<"account" | "client" | "credential", readonly Readonly<Record<string, Value>>[]>>

/** Rows of version 6; an earlier one takes the columns of them that it has. */
const written = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../test/store/version-6.json"), "utf8"),
) as {
  readonly rows: Rows
}

export const THIS_VERSION = migrations.length

/** Those whose tables a credential of version 6 can be written into. */
export const OLD_VERSIONS: readonly number[] = [1, 2, 3, 4, 5, 6].filter((version) => version < THIS_VERSION)

/** Makes one with copies of each credential. Returns how many accounts it has. */
export function fillOldVersion(file: string, version: number, copies: number): number {
  const connection = connect(file)
  try {
    migrate(connection, migrations.slice(0, version))
    for (const [table, rows] of Object.entries(written.rows))
      for (const row of rows) {
        const there = connection
          .all<{ name: string }>(`SELECT name FROM pragma_table_info('${table}')`)
          .map(({ name }) => name)
        const columns = Object.keys(row).filter((name) => there.includes(name))
        const places = columns.map(() => "?").join(", ")
        connection.run(
          `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${places})`,
          ...columns.map((name) => row[name] as Value),
        )
      }
    if (copies > 0) connection.run(copyOften(connection, copies))
    return written.rows.account.length
  } finally {
    connection.close()
  }
}

function copyOften(connection: ReturnType<typeof connect>, copies: number): string {
  const columns = connection
    .all<{ name: string }>("SELECT name FROM pragma_table_info('credential')")
    .map(({ name }) => name)
    .filter((name) => name !== "id" && name !== "token_id")
    .join(", ")
  return `
    WITH RECURSIVE copy (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copy WHERE n < ${copies})
    INSERT INTO credential (token_id, ${columns})
    SELECT printf('%010d%016d', n, credential.rowid), ${columns} FROM credential, copy`
}

export function schemaVersion(file: string): number {
  const database = new DatabaseSync(file)
  try {
    return Number(database.prepare("PRAGMA user_version").get()?.["user_version"])
  } finally {
    database.close()
  }
}

/** How many credentials there are, whatever the version calls their table. */
export function credentialsIn(file: string): number {
  const database = new DatabaseSync(file)
  try {
    const table = schemaVersion(file) < 7 ? "credential" : "credential_row"
    return Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.["n"])
  } finally {
    database.close()
  }
}
