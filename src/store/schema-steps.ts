/** Which step brings a database of some schema version to the next one. The same for both engines. */

/** The version of the first step. Lower numbers are those of schemas before all migrations became one. */
export const FIRST_VERSION = 20

export type Schema<Step> = {
  /** In order, never edited once released: the first makes an empty database one of `FIRST_VERSION`. */
  readonly steps: readonly Step[]
  /** Brings a database of the last version before `FIRST_VERSION` to it. */
  readonly carryOver: { readonly from: number; readonly step: Step }
}

/** The last commit that brings an older database to the version that is carried over. */
const PASS_THROUGH = "075dac1"

export function versionOfLast({ steps }: Schema<unknown>): number {
  return FIRST_VERSION + steps.length - 1
}

/** The next step and the version that it leads to; null at the last version. Throws if no step leads on. */
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
