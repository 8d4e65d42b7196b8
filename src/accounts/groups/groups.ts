/** Reads and changes groups, and who is in them by hand. Interface GROUP. */
import type { UserId } from "../../kernel/ids.ts"
import { isUserId } from "../../kernel/identifier.ts"
import { type Result, err, ok } from "../../kernel/result.ts"
import { type Decided, decided } from "../../model/change.rules.ts"
import type { Actor } from "../../model/event.rules.ts"
import { type Group, isGroupName } from "../../model/permissions/group.rules.ts"
import type { Services } from "../../platform/services/services.ts"
import type { CountedGroup } from "../../store/list-shapes.ts"
import { all, rowKeys } from "../../store/list.ts"
import type { Found } from "../../store/loadable.ts"
import {
  decideGroupRemoval,
  decideMemberships,
  decideNewGroup,
  decideTitle,
  type Grouped,
  type GroupRefusal,
  type MembershipUpdate,
  unknownGroup,
} from "./group-change.rules.ts"

type Needs = Pick<Services, "store" | "clock">
type Store = Pick<Needs, "store">
type Counted = Result<CountedGroup, GroupRefusal>

export function allGroups({ store }: Store): Promise<readonly CountedGroup[]> {
  return all((page) => store.groups(page), rowKeys.groups)
}

/** Finds a group, and counts its members. */
export async function findGroup(services: Store, name: string): Promise<Counted> {
  const [found] = isGroupName(name) ? await services.store.groups({ limit: 1 }, name) : []
  return found === undefined ? err(await unknown(services, name)) : ok(found)
}

/** Returns the problem of the first name that no group has. */
export async function unknownGroupIn(
  services: Store,
  names: readonly string[],
): Promise<GroupRefusal | null> {
  for (const name of names) {
    const { group } = await services.store.read({ group: isGroupName(name) ? name : null })
    if (group === null) return unknown(services, name)
  }
  return null
}

async function unknown(services: Store, name: string): Promise<GroupRefusal> {
  return unknownGroup(
    name,
    (await allGroups(services)).map((group) => group.name),
  )
}

export async function addGroup(
  { store, clock }: Needs,
  name: string,
  title: string | null,
  from: Actor,
): Promise<Counted> {
  const by = { ...from, now: clock.now() }
  const added = await store.change({ group: isGroupName(name) ? name : null }, ({ group }) =>
    decideNewGroup(name, title, group, by),
  )
  return added.ok ? ok({ ...added.value, members: 0 }) : added
}

export function retitleGroup(
  services: Needs,
  name: string,
  title: string | null,
  from: Actor,
): Promise<Counted> {
  return onGroup(services, name, (group) => decideTitle(group, title, { ...from, now: services.clock.now() }))
}

/** Removes a group, with every membership. */
export function removeGroup(services: Needs, name: string, from: Actor): Promise<Counted> {
  return onGroup(services, name, (group, members) =>
    decideGroupRemoval(group, members, { ...from, now: services.clock.now() }),
  )
}

async function onGroup(
  services: Needs,
  name: string,
  decide: (group: Group, members: number) => Decided<Result<Group, GroupRefusal>>,
): Promise<Counted> {
  const found = await findGroup(services, name)
  if (!found.ok) return found
  const { members } = found.value
  const changed = await services.store.change({ group: name }, ({ group }) =>
    group === null ? decided(err(unknownGroup(name, []))) : decide(group, members),
  )
  return changed.ok ? ok({ ...changed.value, members }) : changed
}

/** Returns an account with its marks. */
export async function membershipsOf({ store }: Store, id: string): Promise<Result<Grouped, GroupRefusal>> {
  return groupedOf(await store.read(marksOf(id)))
}

function marksOf(id: string) {
  const userId = isUserId(id) ? (id as UserId) : null
  return { account: userId, memberships: userId }
}

function groupedOf({
  account,
  memberships,
}: Found<ReturnType<typeof marksOf>>): Result<Grouped, GroupRefusal> {
  return account === null
    ? err({ why: "unknown", problem: "There is no such account." })
    : ok({ account, memberships: memberships ?? [] })
}

/** Puts an account into groups by hand, and takes it out. */
export async function changeMemberships(
  services: Needs,
  id: string,
  update: MembershipUpdate,
  from: Actor,
): Promise<Result<Grouped, GroupRefusal>> {
  const missing = await unknownGroupIn(services, update.add)
  if (missing !== null) return err(missing)
  const by = { ...from, now: services.clock.now() }
  return services.store.change(marksOf(id), (found): Decided<Result<Grouped, GroupRefusal>> => {
    const grouped = groupedOf(found)
    return grouped.ok ? decideMemberships(grouped.value, update, by) : decided(grouped)
  })
}
