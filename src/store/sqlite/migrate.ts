/** Brings a database to this version. Schemas only ever go forward. */
import type { DatabaseSync } from "node:sqlite"
import { nextStep, type Schema } from "../schema-steps.ts"
import type { Connection } from "./engine/connection.ts"
import { carryOver } from "./migrations/carry-over.ts"
import { initial } from "./migrations/0020-initial.ts"

/** SQL, or a function where SQL alone is not enough. */
export type Migration = string | ((database: DatabaseSync) => void)

export const schema: Schema<Migration> = { steps: [initial], carryOver: { from: 12, step: carryOver } }

/**
 * Applies what is missing. A step and its version number commit together, so a process killed at any moment leaves a
 * database of one version or the next. The version is read again under the lock: of two processes that start together one
 * migrates, and the other has nothing left to do.
 *
 * Throws where no step leads from the version of the database to this one.
 */
export function migrate(connection: Connection, to: Schema<Migration> = schema): void {
  while (nextStep(versionOf(connection), to) !== null) {
    connection.transaction(() => {
      const next = nextStep(versionOf(connection), to)
      if (next === null) return
      if (typeof next.step === "string") connection.database.exec(next.step)
      else next.step(connection.database)
      connection.database.exec(`PRAGMA user_version = ${next.version}`)
    })
  }
}

function versionOf(connection: Connection): number {
  return connection.one<{ user_version: number }>("PRAGMA user_version")?.user_version ?? 0
}
