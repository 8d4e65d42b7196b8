/**
 * Checks foreign keys. The server normally enforces them. It does not if triggers were disabled, for example during a
 * restore.
 */
import type { Problem } from "../../list-shapes.ts"
import type { Reader } from "../driver/database.ts"

const references = [
  { table: "icon", column: "client_id", parent: "client" },
  { table: "client_document", column: "client_id", parent: "client" },
  { table: "client", column: "owner_id", parent: "account" },
  { table: "client", column: "service_account_id", parent: "account" },
  { table: "account", column: "owner_id", parent: "account" },
  { table: "factor", column: "user_id", parent: "account" },
  { table: "identity", column: "user_id", parent: "account" },
  { table: "code_tries", column: "user_id", parent: "account" },
  { table: "session", column: "user_id", parent: "account" },
  { table: "session_credential", column: "user_id", parent: "account" },
  { table: "remembered_consent", column: "user_id", parent: "account" },
  { table: "remembered_consent", column: "client_id", parent: "client" },
  { table: "organization_block", column: "user_id", parent: "account" },
  { table: "organization_block", column: "client_id", parent: "client" },
  { table: "known_browser", column: "user_id", parent: "account" },
  { table: "email", column: "user_id", parent: "account" },
  { table: "one_time_link", column: "user_id", parent: "account" },
  { table: "outbox", column: "user_id", parent: "account" },
] as const

const idOf = { account: "user_id", client: "client_id" } as const

const REPORTED_AT_MOST = 100

export async function referenceProblems(reader: Reader): Promise<readonly Problem[]> {
  const problems: Problem[] = []
  for (const { table, column, parent } of references) {
    const rows = await reader.all<{ key: string }>(
      `SELECT DISTINCT ${column} AS key FROM ${table} WHERE ${column} IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM ${parent} AS parent WHERE parent.${idOf[parent]} = ${table}.${column}) LIMIT ?`,
      REPORTED_AT_MOST,
    )
    for (const { key } of rows)
      problems.push({ table, key, problem: `points to a row of ${parent} that does not exist` })
  }
  return problems
}
