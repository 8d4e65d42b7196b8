/** What the file changes of one group. */
import {
  decideGroupRemoval,
  decideNewGroup,
  decideTitle,
  unknownGroup,
} from "../../accounts/groups/group-change.rules.ts"
import { type Problem, ok } from "../../kernel/result.ts"
import type { Change } from "../../model/change.rules.ts"
import { compared, type Part, type Planning, wrong } from "./part.rules.ts"
import type { NamedGroup } from "./set-up.rules.ts"

export function planGroup(planning: Planning, entry: NamedGroup): Part {
  const { now, present } = planning
  const { key: name } = entry
  const found = present.groups.find((group) => group.name === name) ?? null
  const { title = found?.title ?? null } = entry.members
  const by = { now, address: null }
  const { answer, changes } =
    found === null ? decideNewGroup(name, title, null, by) : decideTitle(found, title, by)
  if (!answer.ok) return wrong("groups", entry, null, answer.error.problem)
  const shown = (of: string | null) => new Map([["title", of]])
  const both = [found && shown(found.title), shown(answer.value.title)] as const
  return ok(compared(planning, "group", entry, name, both, changes))
}

/** Returns null if the group is gone. */
export function removedGroup({ present, now }: Planning, name: string): readonly Change[] | null {
  const group = present.groups.find((one) => one.name === name)
  return group === undefined ? null : decideGroupRemoval(group, group.members, { now, address: null }).changes
}

/** Returns the problem of the first group that neither is there nor is made. */
export function groupsProblem(known: ReadonlySet<string>, names: readonly string[] = []): Problem | null {
  const missing = names.find((name) => !known.has(name))
  return missing === undefined ? null : unknownGroup(missing, known).problem
}
