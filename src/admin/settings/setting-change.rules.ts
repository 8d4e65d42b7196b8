/** What setting or resetting a setting writes. */
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"
import { didYouMean } from "../../kernel/suggest.ts"
import { type Change, eventRecorded } from "../../model/change.rules.ts"
import type { Actor } from "../../model/event.rules.ts"
import type { Catalog } from "../../model/permissions/permission-catalog.rules.ts"
import { defaultOf, type Setting, settingOf, settings } from "../../model/setting.rules.ts"

/** Returns the value to store. */
export function parseSetting(
  key: string,
  typed: string,
  catalog: Catalog,
  languages: readonly string[],
): Result<{ readonly row: Setting<unknown>; readonly value: string }, Problem> {
  const row = settingOf(key)
  if (row === undefined) return unknownSetting(key)
  const value = typed.trim()
  const parsed = row.parse(value)
  if (!parsed.ok) return err(`${key}: ${parsed.error}`)
  const problem = row.check?.(value, catalog, languages) ?? null
  return problem === null ? ok({ row, value }) : err(`${key}: ${problem}`)
}

/** Null resets the setting to its default. */
export function settingChanges(
  row: Setting<unknown>,
  value: string | null,
  catalog: Catalog,
  { at, address, actorId = null }: Actor & { readonly at: number },
): readonly Change[] {
  const { key } = row
  const detail = value === null ? `${key} = ${defaultOf(row, catalog)} (default)` : `${key} = ${value}`
  return [
    value === null ? { change: "settingUnset", key } : { change: "settingSet", key, value },
    eventRecorded("setting-changed", at, { actorId, address, detail }),
  ]
}

export function unknownSetting(key: string) {
  const known = Object.values(settings).map((row) => row.key)
  const hint = didYouMean(key, known) || ` The settings are ${known.join(", ")}.`
  return err(`There is no setting ${JSON.stringify(key)}.${hint}`)
}
