/**
 * Databases with the last schema before all migrations were merged into one. The service of commit 075dac1 (SQLite
 * version 12, PostgreSQL version 5) filled them and issued the tokens.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { AppIdentity } from "../support/connect.ts"
import type { Engine } from "../support/database.ts"
import { rowsOf } from "../support/postgres.ts"
import type { Started } from "../oauth/device/device.ts"

type Issued = {
  /** The time when the service stopped. */
  readonly now: number
  /** The secret of carol's one-time passwords. */
  readonly totp: string
  readonly live: readonly {
    readonly app: AppIdentity
    readonly access: readonly string[]
    readonly refresh: string
  }[]
  readonly codes: readonly { readonly app: AppIdentity; readonly code: string; readonly verifier: string }[]
  readonly resource: AppIdentity
  readonly pending: Started & { readonly app: AppIdentity }
  readonly approved: Started & { readonly app: AppIdentity }
  readonly revoked: { readonly access: string; readonly refresh: string }
}

export const issued = JSON.parse(read("tokens.json")) as Readonly<Record<Engine, Issued>> & {
  /** The service secret. */
  readonly secret: string
}

export function fillOldSqlite(file: string): void {
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false })
  database.exec(`PRAGMA journal_mode = WAL; BEGIN; ${read("sqlite.sql")} COMMIT`)
  database.close()
}

export async function fillOldPostgres(url: string): Promise<void> {
  await rowsOf(url, read("postgres.sql"))
}

function read(name: string): string {
  return readFileSync(join(import.meta.dirname, "before-squash", name), "utf8")
}
