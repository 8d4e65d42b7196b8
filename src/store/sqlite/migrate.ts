/** Migrates a database to the current schema version. A version is never lowered. */
import type { DatabaseSync } from "node:sqlite"
import { nextStep, type Schema } from "../schema-steps.ts"
import type { Connection } from "./engine/connection.ts"
import { carryOver } from "./migrations/carry-over.ts"
import { initial } from "./migrations/0020-0029/0020-initial.ts"
import { clientKeys } from "./migrations/0020-0029/0021-client-keys.ts"
import { clientDocuments } from "./migrations/0020-0029/0022-client-documents.ts"
import { serviceAccounts } from "./migrations/0020-0029/0023-service-accounts.ts"
import { appSwitches } from "./migrations/0020-0029/0024-app-switches.ts"
import { sessionCredentials } from "./migrations/0020-0029/0025-session-credentials.ts"
import { identities } from "./migrations/0020-0029/0026-identities.ts"
import { imports } from "./migrations/0020-0029/0027-imports.ts"
import { email } from "./migrations/0020-0029/0028-email.ts"
import { deviceResources } from "./migrations/0020-0029/0029-device-resources.ts"
import { openCeilings } from "./migrations/0030-open-ceilings.ts"
import { leftOut } from "./migrations/0031-left-out.ts"
import { ownersDisabled } from "./migrations/0032-owners-disabled.ts"
import { logos } from "./migrations/0033-logos.ts"
import { accountLanguage } from "./migrations/0034-account-language.ts"
import { groups } from "./migrations/0035-groups.ts"
import { invitations } from "./migrations/0036-invitations.ts"
import { applied } from "./migrations/0037-applied.ts"
import { marks } from "./migrations/0038-marks.ts"
import { signingKeys } from "./migrations/0039-signing-keys.ts"
import { appOpenid } from "./migrations/0040-app-openid.ts"
import { rememberedConsents } from "./migrations/0041-remembered-consents.ts"
import { provenAmr } from "./migrations/0042-proven-amr.ts"
import { vouchedSessions } from "./migrations/0043-vouched-sessions.ts"
import { workloads } from "./migrations/0044-workloads.ts"
import { organizations } from "./migrations/0045-organizations.ts"

/** A migration is SQL text, or a function if SQL alone is not enough. */
export type Migration = string | ((database: DatabaseSync) => void)

export const schema: Schema<Migration> = {
  steps: [
    initial,
    clientKeys,
    clientDocuments,
    serviceAccounts,
    appSwitches,
    sessionCredentials,
    identities,
    imports,
    email,
    deviceResources,
    openCeilings,
    leftOut,
    ownersDisabled,
    logos,
    accountLanguage,
    groups,
    invitations,
    applied,
    marks,
    signingKeys,
    appOpenid,
    rememberedConsents,
    provenAmr,
    vouchedSessions,
    workloads,
    organizations,
  ],
  carryOver: { from: 12, step: carryOver },
}

/**
 * Applies the missing steps. A step and its version number commit together, so a killed process leaves a complete
 * version. All steps of a new database commit together: no other process sees an older schema there. The version is
 * read again under the lock. If two processes start together, one migrates, and the other finds nothing to do.
 *
 * Returns the version before this process applied its first step, or null if it applied none. Throws if no step starts
 * at the version of the database.
 */
export function migrate(connection: Connection, to: Schema<Migration> = schema): number | null {
  let from: number | null = null
  while (nextStep(versionOf(connection), to) !== null)
    connection.transaction(() => {
      const before = versionOf(connection)
      if (before === 0) while (applyNext(connection, to));
      else applyNext(connection, to)
      if (versionOf(connection) !== before) from ??= before
    })
  return from
}

/** Returns whether there was a step to apply. */
function applyNext(connection: Connection, to: Schema<Migration>): boolean {
  const next = nextStep(versionOf(connection), to)
  if (next === null) return false
  if (typeof next.step === "string") connection.database.exec(next.step)
  else next.step(connection.database)
  connection.database.exec(`PRAGMA user_version = ${next.version}`)
  return true
}

export function versionOf(connection: Connection): number {
  return connection.one<{ user_version: number }>("PRAGMA user_version")?.user_version ?? 0
}
