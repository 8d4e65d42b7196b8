/** The command that changes the schema of the database without a start. Interface SCHEMA-3. */
import { lockDirectory, lockRefusal } from "../../store/sqlite/engine/directory-lock.ts"
import { type Answer, command, done, type Globals, refused } from "../../platform/cli/command.ts"
import { withStore } from "../../platform/cli/open.ts"
import { readConfig } from "../../platform/config/config.ts"
import { isAbsent } from "../../platform/config/open-store.ts"

export const migrate = command({
  name: "migrate",
  summary: "Change the database to the schema of this version",
  notes: [
    "A start of the service does the same. Make a backup first: the way back to the former version is that backup. An " +
      "embedded database is refused while a service runs on it; on PostgreSQL, nodes can keep running if the changelog " +
      "allows it.",
  ],
  example: "latchkey migrate",
  run: async ({ globals }): Promise<Answer> => {
    const config = await readConfig(globals)
    if (!config.ok) return refused(...config.error)
    const { dataDir, databaseUrl } = config.value
    // Without a database, the directory may not exist. The refusal then comes from `withStore`.
    if (databaseUrl !== null || isAbsent(config.value)) return migrateStore(globals)
    const lock = lockDirectory(dataDir)
    if (!lock.held) return refused(lockRefusal(dataDir, lock))
    try {
      return await migrateStore(globals)
    } finally {
      lock.release()
    }
  },
})

async function migrateStore(globals: Globals): Promise<Answer> {
  let migrated: { readonly from: number; readonly to: number } | null = null
  const schema = { mayMigrate: true, migrated: (from: number, to: number) => (migrated = { from, to }) }
  return withStore(
    globals,
    "refuse",
    async () =>
      migrated === null
        ? done({ migrated: false }, "The database has the schema of this version already.")
        : done({ migrated: true, ...migrated }, textOf(migrated)),
    schema,
  )
}

function textOf({ from, to }: { readonly from: number; readonly to: number }): string {
  return `The database was migrated from schema version ${from} to ${to}.`
}
