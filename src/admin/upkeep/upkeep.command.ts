/** The commands that copy and verify the database. */
import { existsSync } from "node:fs"
import { dirname } from "node:path"
import { causeOf } from "../../kernel/process/file-problem.ts"
import { type Answer, command, done, refused } from "../../platform/cli/command.ts"
import { noDatabase, withStore } from "../../platform/cli/open.ts"
import { readConfig } from "../../platform/config/config.ts"
import { isAbsent, refuseEmptyFile, sqliteFile } from "../../platform/config/open-store.ts"
import { backUp } from "../../store/sqlite/engine/backup.ts"
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
  run: async ({ operands: [file], globals }): Promise<Answer> => {
    const config = await readConfig(globals)
    if (!config.ok) return refused(...config.error)
    if (config.value.databaseUrl !== null)
      return refused(
        "Use pg_dump to back up a PostgreSQL database; the service can keep running. docs/operating.md has the commands.",
      )
    const { dataDir } = config.value
    if (isAbsent(config.value)) return noDatabase(dataDir)
    if (!existsSync(dirname(file))) return refused(`The directory ${dirname(file)} does not exist.`)
    if (existsSync(file)) return refused(`${file} already exists. Choose another name.`)
    try {
      refuseEmptyFile(dataDir)
      // The store is not opened: the copy has the schema that the database has. Interface SCHEMA-2.
      await withProgress("backup", "pages", (progress) => backUp(sqliteFile(dataDir), file, progress))
    } catch (error) {
      if (!(error instanceof Error)) throw error
      return refused(`${sqliteFile(dataDir)} cannot be copied to ${file}: ${causeOf(error)}`)
    }
    return done({ file }, `Copied to ${file}.`)
  },
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
