/** A directory for each test, and child processes that are really killed. */
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

/** Runs raw SQL without the store and its rules. */
export function rawly(file: string, sql: string): void {
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false })
  database.exec(sql)
  database.close()
}

/** The message of SQLite for a row that the schema forbids. */
export const REFUSED = /CHECK constraint failed/

/**
 * Checks that the schema refuses the statement. If a tool bypasses the schema, the check of the whole file must find
 * the row.
 */
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
  /** Returns the next line that the child prints. Returns null after it has ended. */
  readonly line: () => Promise<string | null>
  /** Kills the child at once. Returns the lines that it printed until then. */
  readonly kill: () => Promise<readonly string[]>
  /** Waits until the child ends by itself. Returns its exit status. */
  readonly ended: () => Promise<number | null>
}

/** Starts `child/<name>.ts`. `limit` is the maximum size of a file that it writes, in blocks of 512 bytes. */
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
