/** What the file changes of one group, and of the groups of a service account. */
import {
  decideGroupRemoval,
  decideMemberships,
  decideNewGroup,
  decideTitle,
  nameProblem,
  parseTitle,
  unknownGroup,
} from "../../accounts/groups/group-change.rules.ts"
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"
import type { Account } from "../../model/account.rules.ts"
import type { Change } from "../../model/change.rules.ts"
import { keyed, NOTHING, type Part, type Planning, wrong } from "./part.rules.ts"
import type { NamedGroup } from "./set-up.rules.ts"

const by = ({ now }: Planning) => ({ now, address: null })

export function planGroup(planning: Planning, { name, line, title }: NamedGroup): Part {
  const what = `groups: ${name}`
  const found = planning.present.groups.find((group) => group.name === name) ?? null
  const parsed = parseTitle(title ?? null)
  const problem = nameProblem(name) ?? (parsed.ok ? null : parsed.error)
  if (problem !== null || !parsed.ok) return wrong(line, `${what}: ${problem?.problem}`)
  const after = title === undefined && found !== null ? found.title : parsed.value
  const { changes } =
    found === null ? decideNewGroup(name, after, null, by(planning)) : decideTitle(found, after, by(planning))
  const row = { what: "group", key: name, made: name } as const
  const members = title === undefined ? [] : [{ member: "title", before: found?.title ?? null, after }]
  return {
    planned: changes.length === 0 ? [] : [{ change: found === null ? "add" : "update", ...row, members }],
    changes: [...changes, ...keyed(planning, row, found === null)],
    problems: NOTHING.problems,
  }
}

/** Returns null if the group is gone. */
export function removedGroup(planning: Planning, name: string): readonly Change[] | null {
  const group = planning.present.groups.find((one) => one.name === name)
  return group === undefined ? null : decideGroupRemoval(group, group.members, by(planning)).changes
}

/** Returns the problem of the first group that neither is there nor is made. */
export function groupsProblem(known: ReadonlySet<string>, names: readonly string[] = []): Problem | null {
  const missing = names.find((name) => !known.has(name))
  return missing === undefined ? null : unknownGroup(missing, known).problem
}

/** A service account never signs in, so it has all its groups by hand. */
export function planMemberships(
  planning: Planning,
  account: Account,
  groups: readonly string[],
): Result<readonly Change[], Problem> {
  const memberships = account.groups.map((group) => ({ group, provider: null }))
  const remove = account.groups.filter((name) => !groups.includes(name))
  const add = groups.filter((name) => !account.groups.includes(name))
  const { answer, changes } = decideMemberships({ account, memberships }, { add, remove }, by(planning))
  return answer.ok ? ok(changes) : err(answer.error.problem)
}
