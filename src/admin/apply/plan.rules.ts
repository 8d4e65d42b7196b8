/**
 * Compares what there is with what the file says. The result is all changes, or all problems. What the file does not
 * name stays as it is. Pruning removes what an earlier apply of the same set made and the file no longer names.
 */
import { removedApp } from "../../apps/app-writes.rules.ts"
import { appearanceMembers } from "../../model/appearance.rules.ts"
import { type Result, err, ok } from "../../kernel/result.ts"
import type { Account } from "../../model/account.rules.ts"
import type { Applied, Change } from "../../model/change.rules.ts"
import { planApp } from "./app-plan.rules.ts"
import { removedGroup, planGroup } from "./group-plan.rules.ts"
import { findAccount, joined, NOTHING, type Part, type Planning, wrong } from "./part.rules.ts"
import { planServiceAccount, removedServiceAccount } from "./service-account-plan.rules.ts"
import type { FileProblem, NamedApp, SetUp } from "./set-up.rules.ts"
import { planAppearance, planSetting, unset } from "./value-plan.rules.ts"

export type Plan = Pick<Part, "planned" | "changes">

export function plan(
  planning: Planning,
  setUp: SetUp,
  isPruning: boolean,
): Result<Plan, readonly FileProblem[]> {
  const { accounts, applied } = planning.present
  const ids = setUp.apps.map((entry) => idOf(planning, entry))
  const userIds = setUp.serviceAccounts.map(({ name }) => findAccount(accounts, name)?.userId)
  const named = new Set([
    ...ids.map((id) => `app ${id}`),
    ...userIds.map((id) => `service_account ${id}`),
    ...setUp.groups.map(({ name }) => `group ${name}`),
    ...setUp.settings.map(({ key }) => `setting ${key}`),
    ...setUp.appearance.map(({ value }) => `appearance ${appearanceMembers[value.member].key}`),
  ])
  const gone = isPruning ? applied.filter(({ what, made }) => !named.has(`${what} ${made}`)) : []
  const isGone = (what: Applied["what"], id: string) =>
    gone.some((row) => row.what === what && row.made === id)
  const groups = new Set([
    ...planning.present.groups.map(({ name }) => name).filter((name) => !isGone("group", name)),
    ...setUp.groups.map(({ name }) => name),
  ])
  const serviceAccounts = setUp.serviceAccounts.map((entry) => planServiceAccount(planning, groups, entry))
  const staying = accounts.filter(({ userId }) => !isGone("service_account", userId))
  const added = serviceAccounts.flatMap(({ account }) => (account === null ? [] : [account]))
  const both = [...staying, ...added.filter((account) => !staying.includes(account))]
  const { problems, ...whole } = joined([
    ...setUp.groups.map((entry) => planGroup(planning, entry)),
    ...serviceAccounts.map(({ part }) => part),
    ...setUp.apps.map((entry, at) => planNamedApp(planning, { accounts: both, groups }, entry, ids, at)),
    ...setUp.settings.map((entry) => planSetting(planning, entry)),
    ...setUp.appearance.map((entry) => planAppearance(planning, entry)),
    ...gone.map((row) => removal(planning, row)),
  ])
  return problems.length > 0 ? err(problems) : ok(whole)
}

/** An app is known by its client_id, or by the key under which the set made it. Null stands for a new one. */
function idOf({ present }: Planning, { key, clientId }: NamedApp): string | null {
  if (clientId !== undefined) return clientId
  return present.applied.find((row) => row.what === "app" && row.key === key)?.made ?? null
}

function planNamedApp(
  planning: Planning,
  { accounts, groups }: { readonly accounts: readonly Account[]; readonly groups: ReadonlySet<string> },
  entry: NamedApp,
  ids: readonly (string | null)[],
  at: number,
): Part {
  const id = ids[at] ?? null
  const line = entry.members.get("client_id") ?? entry.line
  if (id !== null && ids.indexOf(id) < at)
    return wrong(line, `apps: ${entry.key}: client_id: another key names the app ${id} already.`)
  const before = planning.present.clients.find(({ clientId }) => clientId === id) ?? null
  return planApp(planning, accounts, entry, before, groups)
}

/** Removes what the set made. Something that is gone already leaves only its key to remove. */
function removal(planning: Planning, row: Applied): Part {
  const { what, key, made } = row
  const changes = removedChanges(planning, row)
  const planned = changes === null ? [] : [{ change: "remove", what, key, made, members: [] } as const]
  return {
    ...NOTHING,
    planned,
    changes: [...(changes ?? []), { change: "appliedRemoved", applied: { what, made } }],
  }
}

function removedChanges(planning: Planning, { what, made }: Applied): readonly Change[] | null {
  if (what === "service_account") return removedServiceAccount(planning, made)
  if (what === "group") return removedGroup(planning, made)
  if (what !== "app") return unset(planning, what, made)
  const client = planning.present.clients.find(({ clientId }) => clientId === made)
  return client === undefined ? null : removedApp(client, planning.now, { address: null })
}
