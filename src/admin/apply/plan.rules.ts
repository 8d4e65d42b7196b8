/**
 * Compares what there is with what the file says. The result is all changes, or all problems. What the file does not
 * name stays as it is. Pruning removes what an earlier apply of the same set made and the file no longer names.
 */
import { removedApp } from "../../apps/app-writes.rules.ts"
import { type Result, err, ok } from "../../kernel/result.ts"
import type { Applied, Change } from "../../model/change.rules.ts"
import type { Catalog } from "../../model/permissions/permission-catalog.rules.ts"
import { planApp } from "./app-plan.rules.ts"
import { planGroup, removedGroup } from "./group-plan.rules.ts"
import { type Part, type Planned, type Planning, wrong } from "./part.rules.ts"
import { planServiceAccount, removedServiceAccount } from "./service-account-plan.rules.ts"
import type { FileProblem, Named, SetUp } from "./set-up.rules.ts"
import { catalogAfter, planAppearance, planSetting, unset } from "./value-plan.rules.ts"

export type Plan = {
  readonly planned: readonly Planned[]
  readonly changes: readonly Change[]
  /** The catalog that is in force then. */
  readonly catalog: Catalog
}

export function plan(
  before: Planning,
  setUp: SetUp,
  isPruning: boolean,
): Result<Plan, readonly FileProblem[]> {
  const { present } = before
  const catalog = catalogAfter(before, setUp, isPruning)
  const planning = { ...before, catalog }
  const gone = (parts: readonly Part[], what?: Applied["what"]) =>
    present.applied.filter((row) => isPruning && row.what === (what ?? row.what) && !parts.some(isOf(row)))
  const ofGroups = once("groups", setUp.groups, (entry) => planGroup(planning, entry))
  const goneGroups = gone(ofGroups, "group").map(({ made }) => made)
  const groups = new Set(
    [...present.groups.map(({ name }) => name), ...setUp.groups.map(({ key }) => key)].filter(
      (name) => !goneGroups.includes(name),
    ),
  )
  const ofAccounts = once("service_accounts", setUp.serviceAccounts, (entry) =>
    planServiceAccount(planning, groups, entry),
  )
  const goneAccounts = gone(ofAccounts, "service_account").map(({ made }) => made)
  const accounts = [
    ...present.accounts.filter(({ userId }) => !goneAccounts.includes(userId)),
    ...changesOf(ofAccounts).flatMap((one) => (one.change === "accountAdded" ? one.account : [])),
  ]
  const parts = [
    ...ofGroups,
    ...ofAccounts,
    ...once("apps", setUp.apps, (entry) => planApp(planning, { accounts, groups }, entry)),
    ...setUp.settings.map((entry) => planSetting(planning, entry)),
    ...setUp.appearance.map((entry) => planAppearance(planning, entry)),
  ]
  const problems = parts.flatMap((part) => (part.ok ? [] : part.error))
  if (problems.length > 0) return err(problems)
  const all = [...parts, ...gone(parts).map((row) => removal(planning, row))]
  const planned = all.flatMap((part) => (part.ok && part.value.change !== "keep" ? part.value : []))
  return ok({ planned, changes: changesOf(all), catalog })
}

const changesOf = (parts: readonly Part[]) => parts.flatMap((part) => (part.ok ? part.value.changes : []))

/** Whether a part is of this row. One with a problem may be. */
function isOf({ what, made }: Pick<Planned, "what" | "made">) {
  return (part: Part) => !part.ok || (part.value.what === what && part.value.made === made)
}

/** Plans the entries, each of another thing. */
function once<E extends Named<unknown>>(
  part: string,
  entries: readonly E[],
  planOf: (entry: E) => Part,
): readonly Part[] {
  const planned: Part[] = []
  for (const entry of entries) {
    const one = planOf(entry)
    const isTwice = one.ok && planned.some((other) => other.ok && isOf(one.value)(other))
    planned.push(isTwice ? wrong(part, entry, null, "another key names the same.") : one)
  }
  return planned
}

/** Removes what the set made. Something that is gone already leaves only its key to remove. */
function removal(planning: Planning, { what, key, made }: Applied): Part {
  const changes = removedChanges(planning, what, made)
  const applied = { what, made }
  return ok({
    ...{ change: changes === null ? "keep" : "remove", what, key, made, members: [] },
    changes: [...(changes ?? []), { change: "appliedRemoved", applied }],
  })
}

function removedChanges(planning: Planning, what: Applied["what"], made: string): readonly Change[] | null {
  if (what === "service_account") return removedServiceAccount(planning, made)
  if (what === "group") return removedGroup(planning, made)
  if (what !== "app") return unset(planning, made)
  const client = planning.present.clients.find(({ clientId }) => clientId === made)
  return client === undefined ? null : removedApp(client, planning.now, { address: null })
}
