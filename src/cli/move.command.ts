/** The command that carries the embedded database over to PostgreSQL. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { readConfig } from "../config/config.ts"
import { addressProblem, parseAddress } from "../store/postgres/driver/address.ts"
import { lockDirectory } from "../store/sqlite/engine/directory-lock.ts"
import { type Answer, command, done, misused, refused } from "./kit/command.ts"
import { table } from "./kit/print.ts"
import { program } from "./kit/program.ts"
import { withProgress } from "./kit/progress.ts"

export const move = command({
  name: "move",
  summary: "Carry the embedded database over to PostgreSQL",
  operands: [],
  flags: {
    to: {
      value: "URL",
      required: true,
      env: "LATCHKEY_MOVE_TO",
      summary: "the empty PostgreSQL database, postgres://USER:PASSWORD@HOST/NAME",
    },
  },
  notes: [
    "Stop the service first. Every row of DIR/latchkey.db is copied, read back and compared, in one transaction: a move " +
      "that is stopped at any moment leaves the target empty, and can be begun again. A database that holds anything is " +
      "refused. The file stays as it was.",
    "In LATCHKEY_MOVE_TO the address, and with it the password, is not seen in the list of processes.",
  ],
  example: "latchkey move --to postgres://latchkey@db.example.org/latchkey",
  run: async ({ flags, globals }): Promise<Answer> => {
    const problem = addressProblem(flags.to)
    if (problem !== null) return misused(problem.replace("The database URL", "The URL of --to"))
    const config = await readConfig({ ...globals, databaseUrl: null })
    if (!config.ok) return refused(...config.error)
    const { dataDir } = config.value
    const file = join(dataDir, "latchkey.db")
    if (!existsSync(file))
      return refused(`There is no database in ${dataDir}: name its directory with --data.`)
    const lock = lockDirectory(dataDir)
    if (!lock.held) {
      const who = lock.pid === null ? "" : ` (process ${lock.pid})`
      return refused(
        `The service runs on ${dataDir}${who}. Stop it, and move then: nothing may be written meanwhile.`,
      )
    }
    try {
      return await carry(file, flags.to, dataDir)
    } finally {
      lock.release()
    }
  },
})

async function carry(file: string, url: string, dataDir: string): Promise<Answer> {
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
      text: `${table(["table", "rows"], counts, "")}\n\n${rows} rows are in ${shown}, each compared with the one it was copied from.`,
    }
    if (problems.length === 0) return { ...done(printed.json, `${printed.text}\n\n${next(dataDir, file)}`) }
    const lines = problems.map((one) => `${one.table} ${one.key}: ${one.problem}`)
    return {
      exit: 1,
      printed,
      remarks: ["Everything was moved, and some of it was not as it should be before that:", ...lines],
    }
  } catch (error) {
    if (!(error instanceof MoveFailed)) throw error
    return refused(error.message, ...error.consequences)
  }
}

function next(dataDir: string, file: string): string {
  const key = join(dataDir, "secret.key")
  const secret = existsSync(key)
    ? `Keep ${key}, or give what is in it to every node as LATCHKEY_SECRET_KEY.`
    : "Give every node the LATCHKEY_SECRET_KEY that the service had."
  return `Every stored invariant holds. What is left to do:
  1. Set LATCHKEY_DATABASE_URL to that address, wherever ${program} runs from now on.
  2. ${secret}
  3. Start the service. Keep ${file} as a backup of this moment, somewhere else: it is as it was, and a start
     that forgets the address would go on from it.`
}
