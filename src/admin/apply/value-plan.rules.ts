/** What the file changes of one setting, and of one member of the appearance. */
import { appearanceChanges } from "../../model/appearance-changes.rules.ts"
import { appearanceMembers, memberNames } from "../../model/appearance.rules.ts"
import type { Applied, Change } from "../../model/change.rules.ts"
import { settingOf } from "../../model/setting.rules.ts"
import { parseSetting, settingChanges } from "../settings/setting-change.rules.ts"
import { keyed, NOTHING, type Part, type Planning, wrong } from "./part.rules.ts"
import type { AppearanceValue, NamedValue } from "./set-up.rules.ts"

export function planSetting(planning: Planning, { key, line, value: typed }: NamedValue<string>): Part {
  const { present, catalog, languages, now } = planning
  const parsed = parseSetting(key, typed, catalog, languages)
  if (!parsed.ok) return wrong(line, `settings: ${parsed.error}`)
  const { row, value } = parsed.value
  const before = present.settings.get(key) ?? null
  // A default that the catalog decides may change, so that value is stored.
  if ((before ?? row.default) === value) return NOTHING
  const changes = settingChanges(row, value, catalog, actor(now))
  return changed(planning, { what: "setting", key, made: key }, before, value, changes)
}

export function planAppearance(
  planning: Planning,
  { key, line, value: { member, value } }: NamedValue<AppearanceValue>,
): Part {
  const { present, now } = planning
  const changes = appearanceChanges({ [member]: value }, present.settings, actor(now))
  if (!changes.ok) return wrong(line, `appearance: ${key}: ${changes.error[member]}`)
  if (changes.value.length === 0) return NOTHING
  const { key: made } = appearanceMembers[member]
  const before = present.settings.get(made) ?? null
  const after = typeof value === "string" || value === null ? value : value.hash
  return changed(planning, { what: "appearance", key, made }, before, after, changes.value)
}

function changed(
  planning: Planning,
  row: Omit<Applied, "set">,
  before: string | null,
  after: string | null,
  changes: readonly Change[],
): Part {
  const isNew = before === null
  const members = [{ member: "value", before, after }]
  return {
    planned: [{ change: isNew ? "add" : "update", ...row, members }],
    changes: [...changes, ...keyed(planning, row, isNew)],
    problems: [],
  }
}

/** Resets what a set made, by the key of its setting. Returns null if it has its default already. */
export function unset(
  { present, catalog, now }: Planning,
  what: Applied["what"],
  made: string,
): readonly Change[] | null {
  const row = settingOf(made)
  if (what === "setting")
    return row !== undefined && present.settings.has(made)
      ? settingChanges(row, null, catalog, actor(now))
      : null
  const member = memberNames.find((name) => appearanceMembers[name].key === made)
  const changes =
    member === undefined ? null : appearanceChanges({ [member]: null }, present.settings, actor(now))
  return changes?.ok === true && changes.value.length > 0 ? changes.value : null
}

function actor(at: number) {
  return { at, address: null }
}
