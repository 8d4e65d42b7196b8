/** Previews how changes of groups affect live credentials. PERM-5, GROUP-13, GROUP-17. */
import { setImmediate as nextTurn } from "node:timers/promises"
import {
  decideMemberships,
  type Grouped,
  type GroupRefusal,
  type MembershipUpdate,
} from "../accounts/groups/group-change.rules.ts"
import { findGroup, membershipsOf, unknownGroupIn } from "../accounts/groups/groups.ts"
import { type Result, err, ok } from "../kernel/result.ts"
import type { Permission } from "../kernel/ids.ts"
import type { Client } from "../model/clients/client.rules.ts"
import type { HeldConsent } from "../model/credential.rules.ts"
import type { Services } from "../platform/services/services.ts"
import { all, rowKeys } from "../store/list.ts"
import type { CountedGroup } from "../store/list-shapes.ts"
import { consentsOf, previewOfAccounts } from "./preview/held-consents.ts"
import type { ReachPreview } from "./preview/reach-preview.rules.ts"

type Needs = Pick<Services, "store" | "clock" | "catalog" | "providers">
type Previewed<T> = Promise<Result<T & { readonly preview: ReachPreview }, GroupRefusal>>

/** More apps of a group are not named. */
const APPS_NAMED = 20

export type ForGroup = {
  readonly permissions: readonly Permission[]
  readonly apps: readonly Pick<Client, "clientId" | "name">[]
}

/** Returns what is for a group, perhaps for others too. */
export async function whatIsFor({ store, catalog }: Needs, group: string): Promise<ForGroup> {
  const apps = await store.clients({ limit: APPS_NAMED }, { group })
  const permissions = [...catalog].flatMap(([name, { forGroups }]) =>
    forGroups.includes(group) ? [name] : [],
  )
  return { permissions, apps }
}

/** Previews a change of an account's groups by hand. Refuses what `changeMemberships` would refuse. */
export async function previewMemberships(
  services: Needs,
  id: string,
  update: MembershipUpdate,
): Previewed<Grouped> {
  const found = await membershipsOf(services, id)
  if (!found.ok) return found
  const missing = await unknownGroupIn(services, update.add)
  if (missing !== null) return err(missing)
  const after = decideMemberships(found.value, update, { address: null, now: services.clock.now() }).answer
  if (!after.ok) return after
  const { account } = after.value
  const isSame = account.groups.join(" ") === found.value.account.groups.join(" ")
  const consents = await consentsOf(services, { userId: account.userId })
  const preview = await previewOfAccounts(services, isSame ? "nothing" : "groups", consents, () => account)
  return ok({ ...after.value, preview })
}

/** Previews removing a group, for all its members together. */
export async function previewGroupRemoval(services: Needs, name: string): Previewed<CountedGroup> {
  const found = await findGroup(services, name)
  if (!found.ok) return found
  const members = await all((page) => services.store.accounts(page, { group: name }), rowKeys.accounts)
  const consents: HeldConsent[] = []
  for (const { userId } of members) {
    // A group may have very many members. Requests run between two of them.
    await nextTurn()
    consents.push(...(await consentsOf(services, { userId })))
  }
  const preview = await previewOfAccounts(services, "groups", consents, ({ admin, groups }) => ({
    admin,
    groups: groups.filter((group) => group !== name),
  }))
  return ok({ ...found.value, preview })
}
