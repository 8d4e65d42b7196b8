/** The commands that look after the database: a copy and a check; the audit trail is beside them. */
import { existsSync } from "node:fs"
import { command, done, refused } from "../cli/kit/command.ts"
import { withStore } from "../cli/kit/open.ts"
import { table } from "../cli/kit/print.ts"
import { withProgress } from "../cli/kit/progress.ts"

export const backup = command({
  name: "backup",
  summary: "Write a consistent copy of the database while the service runs",
  operands: ["FILE"],
  flags: {},
  notes: [
    "To restore, stop the service, put the copy in place of latchkey.db, and remove latchkey.db-wal and latchkey.db-shm. " +
      "Keep secret.key beside it; it is not in the copy. An existing file is never written over.",
  ],
  example: "latchkey backup latchkey-monday.db",
  run: ({ operands: [file], globals }) =>
    withStore(globals, "refuse", async ({ store }) => {
      if (globals.databaseUrl !== null)
        return refused(
          "A PostgreSQL database is copied by pg_dump, while the service runs: docs/operating.md has the commands.",
        )
      if (existsSync(file)) return refused(`${file} exists already, and is not written over.`)
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
  operands: [],
  flags: {},
  notes: [
    "Runs beside the service. Exit status 1 where an invariant fails. With --json: an array of the problems.",
  ],
  example: "latchkey verify",
  run: ({ globals }) =>
    withStore(globals, "refuse", async ({ store }) => {
      const problems = await withProgress("verify", "rows", (progress) => store.verify(progress))
      if (problems.length === 0) return done([], "Every stored invariant holds.")
      const rows = problems.map(({ table: name, key, problem }) => [name, key, problem])
      return {
        ...refused(
          problems.length === 1 ? "A stored invariant fails." : `${problems.length} stored invariants fail.`,
        ),
        printed: { json: problems, text: table(["table", "key", "problem"], rows, "") },
      }
    }),
})
