/** A foreign process with the lock that every change needs. */
import { DatabaseSync } from "node:sqlite"
import { setTimeout as pause } from "node:timers/promises"
import pg from "pg"
import type { AttackOrder, AttackReport } from "./attack.ts"

const WAIT_MILLISECONDS = 10_000

export async function lockDatabase({ database, seconds }: AttackOrder): Promise<AttackReport> {
  await (database.startsWith("postgres:") ? lockPostgres : lockSqlite)(database, seconds)
  return { counts: { "seconds of the lock": seconds } }
}

async function lockSqlite(file: string, seconds: number): Promise<void> {
  const database = new DatabaseSync(file, { timeout: WAIT_MILLISECONDS })
  database.exec("BEGIN EXCLUSIVE")
  await pause(seconds * 1000)
  database.exec("ROLLBACK")
  database.close()
}

/** Locks the tables. Rows can be read but not changed. */
async function lockPostgres(url: string, seconds: number): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query("BEGIN")
  await client.query("LOCK TABLE credential IN EXCLUSIVE MODE")
  await pause(seconds * 1000)
  await client.query("ROLLBACK")
  await client.end()
}
