/** The writes and events of a change of the appearance. Interface LOOK-2. */
import { type Problem, type Result, err, ok } from "../kernel/result.ts"
import {
  type Appearance,
  appearanceMembers,
  isLogo,
  type LogoMember,
  memberNames,
} from "./appearance.rules.ts"
import { type Change, eventRecorded } from "./change.rules.ts"
import type { Icon } from "./clients/client.rules.ts"
import type { Actor } from "./event.rules.ts"

/** The texts and logos to store. Null unsets a member, and a missing one stays unchanged. */
export type AppearancePatch = {
  readonly [M in keyof Appearance]?: (M extends LogoMember ? Icon : string) | null | undefined
}

/** What is wrong with the members of a patch. */
export type MemberProblems = { readonly [M in keyof Appearance]?: Problem }

/** Returns the stored settings as a patch leaves them. */
export function patchedSettings(
  patch: AppearancePatch,
  stored: ReadonlyMap<string, string>,
): Result<ReadonlyMap<string, string>, MemberProblems> {
  const patched = new Map(stored)
  const problems: [string, Problem][] = []
  for (const member of memberNames) {
    const { key, parse } = appearanceMembers[member]
    const given = patch[member]
    if (given === null) patched.delete(key)
    if (given === undefined || given === null) continue
    const parsed = parse(typeof given === "string" ? given : given.hash)
    if (parsed.ok) patched.set(key, parsed.value)
    else problems.push([member, parsed.error])
  }
  return problems.length === 0 ? ok(patched) : err(Object.fromEntries(problems))
}

/** Returns the changes of a patch, each with its event. A member that has the value already gives none. */
export function appearanceChanges(
  patch: AppearancePatch,
  stored: ReadonlyMap<string, string>,
  { at, address, actorId = null }: Actor & { readonly at: number },
): Result<readonly Change[], MemberProblems> {
  const patched = patchedSettings(patch, stored)
  if (!patched.ok) return patched
  const changes = memberNames.flatMap((member): readonly Change[] => {
    const { key } = appearanceMembers[member]
    const value = patched.value.get(key)
    if (value === stored.get(key)) return []
    const detail = value === undefined ? `${key} (default)` : `${key} = ${value}`
    return [
      value === undefined ? { change: "settingUnset", key } : { change: "settingSet", key, value },
      eventRecorded("setting-changed", at, { actorId, address, detail }),
      ...(isLogo(member)
        ? [{ change: "logoSet", key: appearanceMembers[member].key, logo: patch[member] ?? null } as const]
        : []),
    ]
  })
  return ok(changes)
}
