/** Finds the step from one schema version to the next, for both engines. */

/** The version of the first step. Lower numbers belong to older schemas, before all migrations were merged into one. */
export const FIRST_VERSION = 20

export type Schema<Step> = {
  /**
   * The steps in order. A step is never edited after a release. The first step creates `FIRST_VERSION` in an empty
   * database.
   */
  readonly steps: readonly Step[]
  /** Migrates the last version before `FIRST_VERSION` to `FIRST_VERSION`. */
  readonly carryOver: { readonly from: number; readonly step: Step }
}

/** What a process may do with the schema of a database that exists. */
export type SchemaOptions = {
  /** Whether to create the schema in an empty database. The default is true. */
  readonly mayMake?: boolean | undefined
  /**
   * Whether to migrate an older schema. By default, a database with an older schema is refused, so that no command
   * makes a backup before an upgrade worthless. Interface SCHEMA-1.
   */
  readonly mayMigrate?: boolean | undefined
  /** Called after a migration with the version before and the version now. A new database is not a migration. */
  readonly migrated?: ((from: number, to: number) => void) | undefined
}

/** Throws if the schema has to change and the process may not change it. `name` is the database in the message. */
export function refuseChange(
  version: number,
  schema: Schema<unknown>,
  { mayMake = true, mayMigrate = false }: SchemaOptions,
  name: string,
): void {
  if (version === 0) {
    if (!mayMake) throw new Error(`there are no Latchkey tables in ${name} yet: start the service on it once`)
    return
  }
  if (nextStep(version, schema) === null || mayMigrate) return
  throw new Error(
    `the database has schema version ${version}, and this version of Latchkey needs ${versionOfLast(schema)}: ` +
      "make a backup, then start the service or run the command migrate",
  )
}

/** The last commit that can migrate older databases to the version of `carryOver`. */
const PASS_THROUGH = "075dac1"

export function versionOfLast({ steps }: Schema<unknown>): number {
  return FIRST_VERSION + steps.length - 1
}

/**
 * Returns the next step and its version. Returns null at the last version. Throws if no step starts at this version.
 */
export function nextStep<Step>(
  version: number,
  schema: Schema<Step>,
): { readonly step: Step; readonly version: number } | null {
  const { steps, carryOver } = schema
  const known = versionOfLast(schema)
  if (version > known)
    throw new Error(
      `the database has schema version ${version}, and this version of Latchkey knows ${known}: ` +
        "start the newer version that wrote it, or restore a backup from before the upgrade",
    )
  if (version === carryOver.from) return { step: carryOver.step, version: FIRST_VERSION }
  if (version > 0 && version < FIRST_VERSION)
    throw new Error(
      `the database has schema version ${version}, which is too old for this version of Latchkey: ` +
        `start commit ${PASS_THROUGH} on it once, and then this version`,
    )
  const next = version === 0 ? FIRST_VERSION : version + 1
  const step = steps[next - FIRST_VERSION]
  return step === undefined ? null : { step, version: next }
}
