/**
 * Checks every stored invariant while nodes run. First come the rules that the server should enforce, then each table
 * page by page. A separate view reads each page with the rows that it refers to. One view of the whole database would
 * delay the vacuum as long as the check takes.
 */
import type { Value } from "../../codecs/value.ts"
import type { Problem, Progress } from "../../list-shapes.ts"
import { type Check, checks, type Key } from "../../verify/checks.ts"
import { withLongTimeout } from "../driver/long-timeout.ts"
import type { Database, Reader } from "../driver/database.ts"
import { counterProblems } from "./counters.ts"
import { referenceProblems } from "./references.ts"

const ROWS_AT_A_TIME = 2000

/** Returns every problem that was found. `progress` counts rows. */
export async function verifyDatabase(database: Database, progress?: Progress): Promise<readonly Problem[]> {
  const rows: number[] = []
  for (const { table } of checks) rows.push(await rowsOf(database, table))
  const of = rows.reduce((sum, count) => sum + count, 0)
  progress?.(0, of)
  const problems = [
    ...(await withLongTimeout(database, referenceProblems)),
    ...(await withLongTimeout(database, counterProblems)),
  ]
  let before = 0
  for (const [place, check] of checks.entries()) {
    const read = (count: number) => progress?.(Math.min(before + count, of), of)
    problems.push(...(await checkTable(database.read, check, read)))
    before += rows[place] ?? 0
  }
  progress?.(of, of)
  return problems
}

async function checkTable(reader: Reader, check: Check, read: (rows: number) => void): Promise<Problem[]> {
  const problems: Problem[] = []
  let after: Key | null = null
  let count = 0
  do {
    const { sql, values }: ReturnType<Check["page"]> = check.page(after, ROWS_AT_A_TIME)
    const rows: Record<string, Value>[] = await reader.all<Record<string, Value>>(sql, ...values)
    after = check.look(rows, ROWS_AT_A_TIME, (key, problem) =>
      problems.push({ table: check.table, key, problem }),
    )
    count += rows.length
    read(count)
  } while (after !== null)
  return problems
}

async function rowsOf(database: Database, table: string): Promise<number> {
  const sql = `SELECT count(*) AS rows FROM ${table}`
  return (await withLongTimeout(database, (reader) => reader.one<{ rows: number }>(sql)))?.rows ?? 0
}
