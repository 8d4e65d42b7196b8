/** Every consent, ceiling, group, administrator and table of implications of a small world. */
import { test } from "node:test"
import assert from "node:assert/strict"
import type { Permission } from "../../../src/kernel/ids.ts"
import { closure } from "../../../src/model/permissions/permission.rules.ts"
import { reach, REGISTERED } from "../../../src/model/permissions/reach.rules.ts"
import { catalog, permissions } from "../../support/core-sample.ts"

const NAMES = ["open", "team", "both", "admin:team"]
const forGroups: Readonly<Record<string, readonly string[]>> = {
  team: ["team"],
  both: ["team", "crew"],
  "admin:team": ["team"],
}

/** What implies what: nothing, a chain through a permission for groups, and an admin permission with everything. */
const tables: readonly Readonly<Record<string, readonly string[]>>[] = [
  {},
  { open: ["team"], team: ["both"] },
  { team: ["open"], both: ["team"] },
  { "admin:team": ["open", "both"], open: ["both"] },
]

function subsets<T>(of: readonly T[]): readonly (readonly T[])[] {
  return of.reduce<readonly (readonly T[])[]>(
    (known, one) => [...known, ...known.map((set) => [...set, one])],
    [[]],
  )
}

function worldOf(implies: Readonly<Record<string, readonly string[]>>) {
  return catalog(
    Object.fromEntries(
      NAMES.map((name) => [
        name,
        { title: name, implies: implies[name] ?? [], for_groups: forGroups[name] ?? [] },
      ]),
    ),
  )
}

test("PERM-5, PERM-7, GROUP-1, GROUP-2 reach is consent, closed ceiling and what the account may do, of everything there is", () => {
  let cases = 0
  const closedBy = (implies: Readonly<Record<string, readonly string[]>>, names: readonly string[]) => {
    const closed = new Set(names)
    for (const name of closed) for (const implied of implies[name] ?? []) closed.add(implied)
    return closed
  }
  for (const implies of tables) {
    const world = worldOf(implies)
    const consents = [...subsets(NAMES), [REGISTERED]].map((names) =>
      names[0] === REGISTERED ? names : closure(world, names as Permission[]),
    ) as Permission[][]
    for (const consent of consents)
      for (const ceiling of subsets(NAMES))
        for (const ofAccount of subsets(["crew", "team"]))
          for (const ofApp of subsets(["crew", "team"]))
            for (const admin of [false, true]) {
              const inOne = (groups: readonly string[]) => groups.some((group) => ofAccount.includes(group))
              const allowed = closedBy(implies, ceiling)
              const expected = NAMES.filter(
                (name) =>
                  (consent[0] === REGISTERED || consent.includes(name as Permission)) &&
                  allowed.has(name) &&
                  (admin || !name.startsWith("admin:")) &&
                  (forGroups[name] === undefined || inOne(forGroups[name])) &&
                  (ofApp.length === 0 || inOne(ofApp)),
              )
              const bounds = { ceiling: permissions(ceiling.join(" ")), groups: ofApp }
              const reached = reach(world, consent, bounds, { admin, groups: ofAccount })
              assert.deepEqual(reached.join(" "), expected.join(" "))
              cases += 1
            }
  }
  assert.equal(cases, 4 * 17 * 16 * 4 * 4 * 2)
})
