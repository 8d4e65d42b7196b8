/** The commands that copy and verify the database. */
import { existsSync } from "node:fs"
import { command, done, refused } from "../../platform/cli/command.ts"
import { withStore } from "../../platform/cli/open.ts"
import { table } from "../../platform/cli/print.ts"
import { withProgress } from "../../platform/cli/progress.ts"

export const backup = command({
  name: "backup",
  summary: "Write a consistent copy of the database while the service runs",
  operands: ["FILE"],
  notes: [
    "To restore, stop the service, replace latchkey.db with the copy, and remove latchkey.db-wal, latchkey.db-shm and latchkey.db.keys. " +
      "Back up secret.key too; the copy does not contain it. Existing files are not overwritten.",
  ],
  example: "latchkey backup latchkey-monday.db",
  run: ({ operands: [file], globals }) =>
    withStore(globals, "refuse", async ({ store }) => {
      if (globals.databaseUrl !== null)
        return refused(
          "Use pg_dump to back up a PostgreSQL database; the service can keep running. docs/operating.md has the commands.",
        )
      if (existsSync(file)) return refused(`${file} already exists. Choose another name.`)
      try {
        await withProgress("backup", "pages", (progress) => store.backup(file, progress))
      } catch (error) {
        if (error instanceof Error && "code" in error)
          return refused(`The copy ${file} cannot be written: ${error.message}`)
        throw error
      }
      return done({ file }, `Copied to ${file}.`)
    }),
})

export const verify = command({
  name: "verify",
  summary: "Check every stored invariant",
  notes: [
    "The service can keep running. Exit status 1 if an invariant fails. With --json: an array of the problems.",
  ],
  example: "latchkey verify",
  run: ({ globals }) =>
    withStore(globals, "refuse", async ({ store }) => {
      const problems = await withProgress("verify", "rows", (progress) => store.verify(progress))
      if (problems.length === 0) return done([], "Every stored invariant holds.")
      const rows = problems.map(({ table: name, key, problem }) => [name, key, problem])
      return {
        ...refused(
          problems.length === 1
            ? "One stored invariant fails."
            : `${problems.length} stored invariants fail.`,
        ),
        printed: { json: problems, text: table(["table", "key", "problem"], rows, "") },
      }
    }),
})
