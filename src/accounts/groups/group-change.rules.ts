/** Decides changes of groups, and of who is in them by hand. Interface GROUP. */
import { GROUPS_OF_ACCOUNT_AT_MOST } from "../../kernel/limits.ts"
import { type Problem, type Result, err, ok } from "../../kernel/result.ts"
import { didYouMean } from "../../kernel/suggest.ts"
import type { Account } from "../../model/account.rules.ts"
import { type Change, type Decided, decided, eventRecorded } from "../../model/change.rules.ts"
import type { Actor, EventKind } from "../../model/event.rules.ts"
import {
  type Group,
  GROUP_NAME_FORM,
  GROUP_TITLE_FORM,
  groupsOf,
  isGroupName,
  isGroupTitle,
  type Membership,
} from "../../model/permissions/group.rules.ts"

/** Why a change of a group is refused. Callers derive the HTTP status from `why`. */
export type GroupRefusal = {
  readonly why: "unknown" | "malformed" | "taken" | "conflict"
  readonly problem: Problem
  /** The same for a request whose path has the name. */
  readonly withoutName?: Problem
}

type By = Actor & { readonly now: number }
type GroupAnswer = Result<Group, GroupRefusal>

/** Returns the title as it is stored. An empty text is no title. */
function parseTitle(typed: string | null): Result<string | null, GroupRefusal> {
  const title = (typed ?? "").normalize("NFC").trim()
  if (title === "") return ok(null)
  return isGroupTitle(title)
    ? ok(title)
    : err({ why: "malformed", problem: `A title has ${GROUP_TITLE_FORM}.` })
}

export function unknownGroup(name: string, known: Iterable<string>): GroupRefusal {
  const near = didYouMean(name, known)
  return {
    why: "unknown",
    problem: `There is no group ${JSON.stringify(name)}.${near}`,
    withoutName: `There is no such group.${near}`,
  }
}

export function decideNewGroup(
  name: string,
  typedTitle: string | null,
  found: Group | null,
  by: By,
): Decided<GroupAnswer> {
  if (!isGroupName(name))
    return decided(err({ why: "malformed", problem: `A group’s name has ${GROUP_NAME_FORM}.` }))
  if (found !== null) return decided(err({ why: "taken", problem: `There is a group "${name}" already.` }))
  const title = parseTitle(typedTitle)
  if (!title.ok) return decided(title)
  const group = { name, title: title.value, createdAt: by.now }
  return decided<GroupAnswer>(ok(group), { change: "groupSet", group }, ofGroup(by, `${name} added`))
}

export function decideTitle(found: Group, typed: string | null, by: By): Decided<GroupAnswer> {
  const title = parseTitle(typed)
  if (!title.ok) return decided(title)
  if (found.title === title.value) return decided(ok(found))
  const group = { ...found, title: title.value }
  return decided<GroupAnswer>(ok(group), { change: "groupSet", group }, ofGroup(by, `${found.name} title`))
}

export function decideGroupRemoval(group: Group, members: number, by: By): Decided<GroupAnswer> {
  const { name } = group
  const detail = `${name} removed, ${members} ${members === 1 ? "member" : "members"}`
  return decided<GroupAnswer>(ok(group), { change: "groupRemoved", name }, ofGroup(by, detail))
}

export type MembershipUpdate = { readonly add: readonly string[]; readonly remove: readonly string[] }

/** An account after a change of its groups, with all marks of its memberships. */
export type Grouped = { readonly account: Account; readonly memberships: readonly Membership[] }

/**
 * Gives and takes marks by hand. A membership that a provider gave stays. A group to remove that the account is not in is
 * refused, because it is probably a typing error.
 */
export function decideMemberships(
  { account, memberships }: Grouped,
  { add, remove }: MembershipUpdate,
  by: By,
): Decided<Result<Grouped, GroupRefusal>> {
  const { userId, username } = account
  const absent = remove.find((name) => !memberships.some(({ group }) => group === name))
  if (absent !== undefined) {
    const problem = `"${username}" is not in the group "${absent}".${didYouMean(absent, account.groups)}`
    return decided(err({ why: "unknown", problem }))
  }
  const [added, removed] = [new Set(add), new Set(remove)]
  const isByHand = ({ provider }: Membership) => provider === null
  const kept = memberships.filter(
    (one) => !isByHand(one) || !(removed.has(one.group) || added.has(one.group)),
  )
  const after = [...kept, ...[...added].map((group) => ({ group, provider: null }))]
  const groups = groupsOf(after)
  if (groups.length > GROUPS_OF_ACCOUNT_AT_MOST) return decided(err(tooMany))
  const had = memberships.filter(isByHand).map(({ group }) => group)
  const has = after.filter(isByHand).map(({ group }) => group)
  const changed = [...without(has, had), ...without(had, has)]
  if (changed.length === 0) return decided(ok({ account, memberships }))
  const moved = new Set([...without(groups, account.groups), ...without(account.groups, groups)])
  return decided<Result<Grouped, GroupRefusal>>(
    ok({ account: { ...account, groups }, memberships: after }),
    { change: "membershipsSet", userId, memberships: after },
    ...groupEvents(account, groups, by),
    // A provider gives the group too, so that only the mark changes.
    ...changed
      .filter((group) => !moved.has(group))
      .map((group) => {
        const detail = has.includes(group) ? `${group} by hand too` : `${group} no longer by hand`
        return recorded("group-changed", by, { userId, detail })
      }),
  )
}

const tooMany: GroupRefusal = {
  why: "conflict",
  problem: `An account is in at most ${GROUPS_OF_ACCOUNT_AT_MOST} groups.`,
}

/** Records the groups that an account joined and left. `rule` names the provider whose rule it was. */
export function groupEvents(
  { userId, groups: before }: Pick<Account, "userId" | "groups">,
  after: readonly string[],
  by: By,
  rule: string | null = null,
): readonly Change[] {
  const events = [
    ["groups-joined", without(after, before)],
    ["groups-left", without(before, after)],
  ] as const
  return events
    .filter(([, names]) => names.length > 0)
    .map(([kind, names]) => {
      const detail = `${names.join(" ")}${rule === null ? "" : `, by the rule of ${rule}`}`
      return recorded(kind, by, { userId, detail })
    })
}

function ofGroup(by: By, detail: string): Change {
  return recorded("group-changed", by, { detail })
}

function recorded(
  kind: EventKind,
  { now, address, actorId }: By,
  facts: { readonly userId?: Account["userId"]; readonly detail: string },
): Change {
  return eventRecorded(kind, now, { ...facts, actorId, address })
}

function without(names: readonly string[], others: readonly string[]): readonly string[] {
  return names.filter((name) => !others.includes(name))
}
