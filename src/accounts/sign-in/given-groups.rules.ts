/** The rule `groups` of a sign-in provider. The marks of the provider are what it gave at the last complete sign-in. */
import { GROUPS_OF_ACCOUNT_AT_MOST } from "../../kernel/limits.ts"
import type { Account } from "../../model/account.rules.ts"
import type { Change } from "../../model/change.rules.ts"
import type { Actor } from "../../model/event.rules.ts"
import { groupsOf, type Membership } from "../../model/permissions/group.rules.ts"
import { groupEvents } from "../groups/group-change.rules.ts"

type Rows = { readonly account: Account; readonly memberships: readonly Membership[] | null }

type GivenGroups = Actor & {
  readonly provider: string
  /** What the rule gives, sorted. Null without such a rule. */
  readonly groups: readonly string[] | null
  readonly now: number
}

/** Gives and takes the marks of the provider. Of too many groups, the first count. Others' marks stay. */
export function groupChanges(
  { account, memberships }: Rows,
  { provider, groups, ...by }: GivenGroups,
): readonly Change[] {
  if (groups === null) return []
  const before = memberships ?? []
  const kept = before.filter((mark) => mark.provider !== provider)
  const all = new Set(groupsOf(kept))
  const given = groups.filter(
    (group) => all.has(group) || (all.size < GROUPS_OF_ACCOUNT_AT_MOST && all.add(group)),
  )
  const marks = given.map((group) => ({ group, provider }))
  return changedMarks({ account, memberships: before }, [...kept, ...marks], by, provider)
}

/** Ends every mark for which `isOver` says so. `rule` names the provider in the audit trail. */
export function endedMarks(
  { account, memberships }: Rows,
  isOver: (mark: Membership) => boolean,
  by: Omit<GivenGroups, "provider" | "groups">,
  rule: string,
): readonly Change[] {
  const before = memberships ?? []
  return changedMarks(
    { account, memberships: before },
    before.filter((mark) => !isOver(mark)),
    by,
    rule,
  )
}

function changedMarks(
  { account, memberships: before }: Rows & { readonly memberships: readonly Membership[] },
  after: readonly Membership[],
  by: Omit<GivenGroups, "provider" | "groups">,
  rule: string,
): readonly Change[] {
  const textOf = ({ group, provider }: Membership) => `${group} ${provider ?? ""}`
  const had = new Set(before.map(textOf))
  if (had.size === after.length && after.every((mark) => had.has(textOf(mark)))) return []
  const { userId } = account
  return [
    { change: "membershipsSet", userId, memberships: after },
    ...groupEvents(account, groupsOf(after), by, rule),
  ]
}
