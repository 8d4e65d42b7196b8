/** Migrates a database to the current schema version. A version is never lowered. */
import type { Connection } from "./driver/connection.ts"
import { nextStep, type Schema } from "../schema-steps.ts"
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

export const schema: Schema<string> = {
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
  carryOver: { from: 5, step: carryOver },
}

/** The key of the advisory lock. The number is arbitrary and must never change. */
const LOCK = 7_204_118_806

/**
 * Applies the missing steps. A step and its version number commit together, so a killed process leaves a complete
 * version. All steps of a new database commit together: no other process sees an older schema there. If several nodes
 * start together, one migrates and the others wait for its lock. The lock belongs to the transaction, so it also works
 * through a pooler.
 *
 * Returns the version before this process applied its first step, or null if it applied none. Throws if no step starts
 * at the version of the database.
 */
export async function migrate(connection: Connection, to: Schema<string> = schema): Promise<number | null> {
  let from: number | null = null
  while (nextStep(await versionOf(connection), to) !== null) {
    const before = await migrateOnce(connection, to)
    from ??= before
  }
  return from
}

/** Returns the version before, or null if another process has applied the steps. */
async function migrateOnce(connection: Connection, to: Schema<string>): Promise<number | null> {
  // READ COMMITTED lets a statement see what the previous owner of the lock wrote.
  await connection.script("BEGIN ISOLATION LEVEL READ COMMITTED")
  return connection.orRollBack(async () => {
    // Other nodes must wait as long as the migration takes.
    await connection.script("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0")
    await connection.script(`SELECT pg_advisory_xact_lock(${LOCK})`)
    const before = await versionOf(connection)
    if (before === 0) await connection.script("CREATE TABLE schema_version (version integer NOT NULL)")
    let version = before
    for (let next = nextStep(version, to); next !== null; next = nextStep(version, to)) {
      await connection.script(next.step)
      version = next.version
      if (before !== 0) break
    }
    await connection.script("DELETE FROM schema_version")
    await connection.script(`INSERT INTO schema_version (version) VALUES (${version})`)
    await connection.script("COMMIT")
    return version === before ? null : before
  })
}

/** Returns the schema version. Returns 0 for an empty database. */
export async function versionOf(connection: Connection): Promise<number> {
  if ((await connection.query(IS_THERE, [])).rows.length === 0) return 0
  const { rows } = await connection.query<{ version: number }>("SELECT version FROM schema_version", [])
  return rows[0]?.version ?? 0
}

/** This query reads the catalog table. Functions that look up a name may return a cached answer. */
const IS_THERE =
  "SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = current_schema() AND tablename = 'schema_version'"
