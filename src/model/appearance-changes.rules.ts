/** The writes and events of a change of the appearance. Interface LOOK-2. */
import { type Problem, type Result, err, ok } from "../kernel/result.ts"
import {
  type LogoMember,
  logoMembers,
  type TextMember,
  textMemberNames,
  textMembers,
} from "./appearance.rules.ts"
import type { Change } from "./change.rules.ts"
import type { Icon } from "./clients/client.rules.ts"
import { type Actor, event } from "./event.rules.ts"

/** The texts to store. Null unsets a member, and a missing one stays unchanged. */
export type AppearancePatch = { readonly [M in TextMember]?: string | null | undefined }

export type WrongMember = { readonly member: TextMember; readonly problem: Problem }

export type By = Actor & { readonly at: number }

/** Returns the changes of a patch, each with its event. A member that has the value already gives none. */
export function textChanges(
  patch: AppearancePatch,
  stored: ReadonlyMap<string, string>,
  by: By,
): Result<readonly Change[], WrongMember> {
  const changes: Change[] = []
  for (const member of textMemberNames) {
    const { key, parse } = textMembers[member]
    const typed = patch[member]
    if (typed === undefined) continue
    const parsed = typed === null ? ok(null) : parse(typed)
    if (!parsed.ok) return err({ member, problem: parsed.error })
    if (parsed.value !== (stored.get(key) ?? null)) changes.push(...settingChanges(key, parsed.value, by))
  }
  return ok(changes)
}

/** Returns the changes that store a parsed name. */
export function nameChanges(name: string, by: By): readonly Change[] {
  return settingChanges(textMembers.name.key, name, by)
}

/** Returns the changes that store a logo, or remove it. */
export function logoChanges(member: LogoMember, logo: Icon | null, by: By): readonly Change[] {
  const { key } = logoMembers[member]
  return [...settingChanges(key, logo?.hash ?? null, by), { change: "logoSet", key, logo }]
}

function settingChanges(key: string, value: string | null, { at, address, actorId = null }: By): Change[] {
  const detail = value === null ? `${key} (default)` : `${key} = ${value}`
  return [
    value === null ? { change: "settingUnset", key } : { change: "settingSet", key, value },
    { change: "eventRecorded", event: event("setting-changed", at, { actorId, address, detail }) },
  ]
}
