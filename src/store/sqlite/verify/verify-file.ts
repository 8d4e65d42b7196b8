/**
 * Checks every stored invariant, even while a server runs. SQLite's integrity check runs on a separate thread. After
 * that, a separate connection checks each table in short reads.
 */
import { once } from "node:events"
import { setImmediate } from "node:timers/promises"
import { Worker } from "node:worker_threads"
import type { Value } from "../../codecs/value.ts"
import type { Problem, Progress } from "../../list-shapes.ts"
import { type Check, checks as neutralChecks, type Key } from "../../verify/checks.ts"
import { connectToRead, type Connection } from "../engine/connection.ts"
import { credentialCheck } from "./credential-check.ts"
import { eventCheck } from "./event-check.ts"

const ROWS_AT_A_TIME = 500

const ownChecks = new Map([
  ["credential", credentialCheck],
  ["event", eventCheck],
])
const checks = neutralChecks.map((check) => ownChecks.get(check.table)?.(check) ?? check)

/** Returns every problem that was found. `progress` counts rows. */
export async function verifyFile(file: string, progress?: Progress): Promise<readonly Problem[]> {
  const connection = connectToRead(file)
  try {
    const rows = checks.map(({ table }) => rowsOf(connection, table))
    const of = rows.reduce((sum, count) => sum + count, 0)
    progress?.(0, of)
    const problems = [...(await integrityProblems(file))]
    let before = 0
    for (const [place, check] of checks.entries()) {
      await checkTable(connection, check, problems, (read) => progress?.(Math.min(before + read, of), of))
      before += rows[place] ?? 0
    }
    progress?.(of, of)
    return problems
  } finally {
    connection.close()
  }
}

async function integrityProblems(file: string): Promise<readonly Problem[]> {
  const worker = new Worker(new URL("./integrity-worker.js", import.meta.url), { workerData: file })
  const [problems] = (await once(worker, "message")) as [Problem[]]
  return problems
}

async function checkTable(
  connection: Connection,
  check: Check,
  problems: Problem[],
  read: (rows: number) => void,
): Promise<void> {
  const found = (key: string, problem: string) => problems.push({ table: check.table, key, problem })
  let after: Key | null = null
  let pages = 0
  do {
    try {
      const { sql, values } = check.page(after, ROWS_AT_A_TIME)
      const rows = connection.all<Record<string, Value>>(sql, ...values)
      after = check.look(rows, ROWS_AT_A_TIME, found)
    } catch (error) {
      found("", `cannot be read further: ${error instanceof Error ? error.message : String(error)}`)
      return
    }
    read(++pages * ROWS_AT_A_TIME)
    await setImmediate()
  } while (after !== null)
}

function rowsOf(connection: Connection, table: string): number {
  try {
    return connection.one<{ rows: number }>(`SELECT count(*) AS rows FROM ${table}`)?.rows ?? 0
  } catch {
    // A damaged table cannot be counted. The check itself reports this problem.
    return 0
  }
}
