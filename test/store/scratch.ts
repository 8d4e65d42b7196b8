/** A directory of its own for each test, and child processes that are killed for real. */
import assert from "node:assert/strict"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { DatabaseSync } from "node:sqlite"
import type { TestContext } from "node:test"
import { openSqlite } from "../../src/store/sqlite/sqlite-store.ts"

export function scratchDirectory(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), "latchkey-"))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

/** Runs raw SQL, past the store and its rules. */
export function rawly(file: string, sql: string): void {
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false })
  database.exec(sql)
  database.close()
}

/** What SQLite says of a row that the schema does not allow. */
export const REFUSED = /CHECK constraint failed/

/** The schema refuses the statement; where a tool ignores that, the check of the whole file finds the row. */
export async function assertRefused(file: string, sql: string): Promise<void> {
  assert.throws(() => rawly(file, sql), REFUSED)
  rawly(file, `PRAGMA ignore_check_constraints = ON; ${sql}`)
  const store = openSqlite(file)
  const problems = await store.verify()
  await store.close()
  assert.ok(
    problems.some(({ table, problem }) => table === "(file)" && REFUSED.test(problem)),
    JSON.stringify(problems),
  )
}

export type Child = {
  readonly process: ChildProcess
  /** The next line the child prints, or null once it has ended. */
  readonly line: () => Promise<string | null>
  /** Kills it at once and answers the lines it had still printed. */
  readonly kill: () => Promise<readonly string[]>
  /** Waits until it ends by itself; its exit status. */
  readonly ended: () => Promise<number | null>
}

/** Starts `child/<name>.ts`; `limit` caps the size of any file it writes, in blocks of 512 bytes. */
export function startChild(name: string, args: readonly string[], limit?: number): Child {
  const script = join(import.meta.dirname, "child", `${name}.ts`)
  const command =
    limit === undefined
      ? [process.execPath, script, ...args]
      : ["sh", "-c", `ulimit -f ${limit}; exec "$@"`, "sh", process.execPath, script, ...args]
  const child = spawn(command[0] ?? "", command.slice(1), { stdio: ["ignore", "pipe", "inherit"] })
  const exit = once(child, "exit")
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const line = async () => {
    const next = await lines.next()
    return next.done === true ? null : next.value
  }
  return {
    process: child,
    line,
    kill: async () => {
      child.kill("SIGKILL")
      const rest: string[] = []
      for (let next = await line(); next !== null; next = await line()) rest.push(next)
      await exit
      return rest
    },
    ended: async () => {
      const [status] = (await exit) as [number | null]
      return status
    },
  }
}
