/** What the file changes of one setting, and of one member of the appearance. */
import { err, ok } from "../../kernel/result.ts"
import { appearanceChanges } from "../../model/appearance-changes.rules.ts"
import { appearanceMembers, memberNames } from "../../model/appearance.rules.ts"
import type { Change } from "../../model/change.rules.ts"
import type { Catalog } from "../../model/permissions/permission-catalog.rules.ts"
import { catalogInForce, readSettings, settingOf } from "../../model/setting.rules.ts"
import { parseSetting, settingChanges } from "../settings/setting-change.rules.ts"
import { compared, type Part, type Planning, wrong } from "./part.rules.ts"
import { appearanceWord, type Named, type NamedLook, type NamedSetting, type SetUp } from "./set-up.rules.ts"

/** Returns the catalog in force once the settings are as the file says. All of the file is judged by it. */
export function catalogAfter(
  { present, catalog }: Planning,
  { settings }: SetUp,
  isPruning: boolean,
): Catalog {
  const stored = new Map(present.settings)
  const gone = isPruning ? present.applied.filter(({ what }) => what === "setting") : []
  for (const { made } of gone) stored.delete(made)
  for (const { key, members } of settings) stored.set(key, members.trim())
  return catalogInForce(catalog, readSettings(stored, catalog))
}

export function planSetting(planning: Planning, entry: NamedSetting): Part {
  const { present, catalog, languages } = planning
  const { key, line, members } = entry
  const parsed = parseSetting(key, members, catalog, languages)
  if (!parsed.ok) return err({ line, problem: `settings: ${parsed.error}` })
  const { row, value } = parsed.value
  const before = present.settings.get(key) ?? null
  // A default that the catalog decides may change, so that value is stored.
  const isSame = (before ?? row.default) === value
  const changes = isSame ? [] : settingChanges(row, value, catalog, actor(planning))
  return ok(changed(planning, "setting", entry, key, [before, value], changes))
}

export function planAppearance(planning: Planning, entry: NamedLook): Part {
  const member = memberNames.find((name) => appearanceWord(name) === entry.key)
  const { members: value } = entry
  if (member === undefined) return wrong("appearance", entry, null, "There is no such member.")
  const changes = appearanceChanges({ [member]: value }, planning.present.settings, actor(planning))
  if (!changes.ok) return wrong("appearance", entry, null, changes.error[member] ?? "")
  const { key } = appearanceMembers[member]
  const before = planning.present.settings.get(key) ?? null
  const after = typeof value === "string" || value === null ? value : value.hash
  return ok(changed(planning, "appearance", entry, key, [before, after], changes.value))
}

function changed(
  planning: Planning,
  what: "setting" | "appearance",
  entry: Named<unknown>,
  made: string,
  [before, after]: readonly [string | null, string | null],
  changes: readonly Change[],
) {
  const shown = (value: string | null) => new Map([["value", value]])
  const was = changes.length === 0 ? shown(after) : before === null ? null : shown(before)
  return compared(planning, what, entry, made, [was, shown(after)], changes)
}

/** Resets what a set made, by the key of its setting. Returns null if it has its default already. */
export function unset(planning: Planning, made: string): readonly Change[] | null {
  const { settings } = planning.present
  const row = settingOf(made)
  if (row !== undefined)
    return settings.has(made) ? settingChanges(row, null, planning.catalog, actor(planning)) : null
  const member = memberNames.find((name) => appearanceMembers[name].key === made)
  const changes = member && appearanceChanges({ [member]: null }, settings, actor(planning))
  return changes?.ok === true && changes.value.length > 0 ? changes.value : null
}

function actor({ now: at }: Planning) {
  return { at, address: null }
}
