/** Brings a database to this version. Schemas only ever go forward. */
import type { DatabaseSync } from "node:sqlite"
import type { Connection } from "./engine/connection.ts"
import { initial } from "./migrations/0001-initial.ts"
import { deviceGrant } from "./migrations/0002-device-grant.ts"
import { factor } from "./migrations/0003-factor.ts"
import { registration } from "./migrations/0004-registration.ts"
import { trail } from "./migrations/0005-trail.ts"
import { counts } from "./migrations/0006-counts.ts"
import { packedCredentials } from "./migrations/0007-packed-credentials.ts"
import { newEvents } from "./migrations/0008-new-events.ts"
import { deviceGrantRetention } from "./migrations/0009-device-grant-retention.ts"
import { noNonces } from "./migrations/0010-no-nonces.ts"
import { unusedApps } from "./migrations/0011-unused-apps.ts"
import { codeTries } from "./migrations/0012-code-tries.ts"

/** SQL, or what does with a database that SQL alone cannot do. */
export type Migration = string | ((database: DatabaseSync) => void)

/** In order, never edited once released: the n-th brings a database from version n − 1 to n. */
export const migrations: readonly Migration[] = [
  initial,
  deviceGrant,
  factor,
  registration,
  trail,
  counts,
  packedCredentials,
  newEvents,
  deviceGrantRetention,
  noNonces,
  unusedApps,
  codeTries,
]

/**
 * Applies what is missing. Each migration and its version number commit together, so a process killed at any moment
 * leaves a database of one version or the next; the version is read again under the lock, so of two processes that
 * start together one migrates and the other finds it done.
 *
 * Throws where the database was written by a newer version of the service.
 */
export function migrate(connection: Connection, steps: readonly Migration[] = migrations): void {
  for (let version = versionOf(connection); version !== steps.length; version = versionOf(connection)) {
    refuseNewer(version, steps.length)
    connection.transaction(() => {
      const locked = versionOf(connection)
      const step = steps[locked]
      if (step === undefined) return
      if (typeof step === "string") connection.database.exec(step)
      else step(connection.database)
      connection.database.exec(`PRAGMA user_version = ${locked + 1}`)
    })
  }
}

function refuseNewer(version: number, known: number): void {
  if (version <= known) return
  throw new Error(
    `the database has schema version ${version}, and this version of Latchkey knows ${known}: ` +
      "start the newer version that wrote it, or restore a backup from before the upgrade",
  )
}

function versionOf(connection: Connection): number {
  return connection.one<{ user_version: number }>("PRAGMA user_version")?.user_version ?? 0
}
