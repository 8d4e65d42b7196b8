import { countOf } from "../kernel/words.ts"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { readConfig } from "../platform/config/config.ts"
import { addressProblem, parseAddress } from "../store/postgres/driver/address.ts"
import { lockDirectory, lockRefusal } from "../store/sqlite/engine/directory-lock.ts"
import { type Answer, command, done, usageError, refused } from "../platform/cli/command.ts"
import { noDatabase } from "../platform/cli/open.ts"
import { table } from "../platform/cli/print.ts"
import { program } from "../platform/cli/program.ts"
import { withProgress } from "../platform/cli/progress.ts"

export const move = command({
  name: "move",
  summary: "Move the embedded database to PostgreSQL",
  flags: {
    to: {
      value: "URL",
      required: true,
      env: "LATCHKEY_MOVE_TO",
      summary: "the empty PostgreSQL database, postgres://USER:PASSWORD@HOST/NAME",
    },
  },
  notes: [
    "Stop the service first. One transaction copies every row of DIR/latchkey.db, reads it back and compares it. A move " +
      "that is interrupted leaves the target empty and can be repeated. A target that is not empty is refused. The file " +
      "does not change.",
    "Use LATCHKEY_MOVE_TO, or LATCHKEY_MOVE_TO_FILE with the path of a file, to keep the password of the address out of the process list.",
  ],
  example: "latchkey move --to postgres://latchkey@db.example.org/latchkey",
  run: async ({ flags, globals }): Promise<Answer> => {
    const problem = addressProblem(flags.to, globals.sourceOf("to"))
    if (problem !== null) return usageError(problem)
    const config = await readConfig({ ...globals, databaseUrl: null })
    if (!config.ok) return refused(...config.error)
    const { dataDir } = config.value
    const file = join(dataDir, "latchkey.db")
    if (!existsSync(file)) return noDatabase(dataDir)
    const lock = lockDirectory(dataDir)
    if (!lock.held) return refused(lockRefusal(dataDir, lock))
    try {
      return await moveTo(file, flags.to, dataDir)
    } finally {
      lock.release()
    }
  },
})

async function moveTo(file: string, url: string, dataDir: string): Promise<Answer> {
  const { moveDatabase } = await import("../store/transfer/move.ts")
  const { MoveFailed } = await import("../store/transfer/move-failed.ts")
  const { shown } = parseAddress(url)
  try {
    const { moved, problems } = await moveDatabase(file, url, (step, body) =>
      withProgress(step, step === "index" ? "indexes" : "rows", body),
    )
    const counts = Object.entries(moved)
    const rows = counts.reduce((sum, [, count]) => sum + count, 0)
    const printed = {
      json: { moved, verified: problems.length === 0, ...(problems.length > 0 && { problems }) },
      text: `${table(["table", "rows"], counts, "")}\n\n${countOf(rows, "row")} ${rows === 1 ? "was" : "were"} copied to ${shown}, and each was compared with its original.`,
    }
    if (problems.length === 0) return { ...done(printed.json, `${printed.text}\n\n${next(dataDir, file)}`) }
    const lines = problems.map((one) => `${one.table} ${one.key}: ${one.problem}`)
    return {
      exit: 1,
      printed,
      remarks: ["Everything was moved, but these rows had problems before the move:", ...lines],
    }
  } catch (error) {
    if (!(error instanceof MoveFailed)) throw error
    return refused(error.message, ...error.consequences)
  }
}

function next(dataDir: string, file: string): string {
  const key = join(dataDir, "secret.key")
  const secret = existsSync(key)
    ? `Keep ${key}, or set LATCHKEY_SECRET_KEY to its content on every node.`
    : "Set the same LATCHKEY_SECRET_KEY on every node."
  return `Every stored invariant holds. Next steps:
  1. Set LATCHKEY_DATABASE_URL to that address wherever ${program} runs.
  2. ${secret}
  3. Start the service. Move ${file} elsewhere as a backup: a start without that address would use it again.`
}
