/** Reads and changes settings. A running server applies a change within a second (`live-settings.ts`). */
import { decided } from "../../model/change.rules.ts"
import type { Actor } from "../../model/event.rules.ts"
import { type Problem, type Result, ok } from "../../kernel/result.ts"
import { defaultOf, type Setting, settingOf, settings } from "../../model/setting.rules.ts"
import { flag, type Parsed, record, text } from "../../platform/json/shape.rules.ts"
import { Languages } from "../../platform/languages/languages.ts"
import type { Services } from "../../platform/services/services.ts"
import { parseSetting, settingChanges, unknownSetting } from "./setting-change.rules.ts"

type Reading = Pick<Services, "store" | "catalog">
type Needs = Reading & Pick<Services, "clock">

export const settingShape = record("Setting", {
  key: text("The name of the setting.", "token.access_seconds"),
  value: text("The current value.", "3600"),
  default: text("The default value.", "3600"),
  is_default: flag("Whether the value is the default."),
  explanation: text("What it means.", "How many seconds an access token lives."),
})

export type SettingRecord = Parsed<typeof settingShape>

export async function listSettings({ store, catalog }: Reading): Promise<readonly SettingRecord[]> {
  const stored = await store.settings()
  return Object.values(settings).map((row) => settingNow(row, stored.get(row.key), catalog))
}

export async function findSetting(
  { store, catalog }: Reading,
  key: string,
): Promise<Result<SettingRecord, Problem>> {
  const row = settingOf(key)
  if (row === undefined) return unknownSetting(key)
  const { setting } = await store.read({ setting: key })
  return ok(settingNow(row, setting?.value, catalog))
}

export async function setSetting(
  { store, clock, catalog, languages = new Languages() }: Needs & Partial<Pick<Services, "languages">>,
  key: string,
  typed: string,
  { address, actorId = null }: Actor,
): Promise<Result<SettingRecord, Problem>> {
  const parsed = parseSetting(key, typed, catalog, languages.tags)
  if (!parsed.ok) return parsed
  const { row, value } = parsed.value
  return store.change({}, () =>
    decided(
      ok(settingNow(row, value, catalog)),
      ...settingChanges(row, value, catalog, { at: clock.now(), address, actorId }),
    ),
  )
}

/** Removes the stored value, so that the default applies. */
export async function unsetSetting(
  { store, clock, catalog }: Needs,
  key: string,
  { address, actorId = null }: Actor,
): Promise<Result<SettingRecord, Problem>> {
  const row = settingOf(key)
  if (row === undefined) return unknownSetting(key)
  const unset = settingChanges(row, null, catalog, { at: clock.now(), address, actorId })
  return store.change({ setting: key }, ({ setting }) =>
    setting === null
      ? decided(ok(settingNow(row, undefined, catalog)))
      : decided(ok(settingNow(row, undefined, catalog)), ...unset),
  )
}

/**
 * Describes a setting. An unreadable value counts as unset. A stored list of permissions is never called the default,
 * even if both are equal today, because the default changes with the catalog.
 */
function settingNow(
  row: Setting<unknown>,
  stored: string | undefined,
  catalog: Services["catalog"],
): SettingRecord {
  const { key, explain } = row
  const byDefault = defaultOf(row, catalog)
  const isStored = stored !== undefined && row.parse(stored).ok
  const value = isStored ? stored : byDefault
  const isDefault = !isStored || value === row.default
  return { key, value, default: byDefault, is_default: isDefault, explanation: explain }
}
