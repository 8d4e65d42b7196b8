import { test } from "node:test"
import assert from "node:assert/strict"
import { endedMarks, groupChanges } from "../../../src/accounts/sign-in/given-groups.rules.ts"
import type { Change } from "../../../src/model/change.rules.ts"
import { groupsOf, type Membership } from "../../../src/model/permissions/group.rules.ts"
import { account } from "../../support/core-sample.ts"
import { eventsOf } from "../providers/provider-samples.ts"

const by = { now: 5, address: "192.0.2.1" }
const marks = (provider: string | null, ...groups: readonly string[]): readonly Membership[] =>
  groups.map((group) => ({ group, provider }))
const rowsOf = (...memberships: readonly Membership[]) => ({
  account: { ...account, groups: groupsOf(memberships) },
  memberships,
})
const given = (rows: ReturnType<typeof rowsOf>, groups: readonly string[] | null) =>
  groupChanges(rows, { provider: "work", groups, ...by })

/** Returns the marks that the changes leave, sorted. */
function marksAfter(rows: ReturnType<typeof rowsOf>, changes: readonly Change[]): readonly string[] {
  const [first] = changes
  const after = first?.change === "membershipsSet" ? first.memberships : rows.memberships
  return after.map(({ group, provider }) => `${provider ?? "hand"} ${group}`).sort()
}

test("GROUP-14 for every set of marks and claims: the provider's marks are what its rule gives, and no others change", () => {
  const names = ["a", "b", "c"]
  const subsets = Array.from({ length: 8 }, (_, bits) => names.filter((_one, at) => (bits >> at) & 1))
  for (const hand of subsets)
    for (const other of subsets)
      for (const before of subsets)
        for (const claim of subsets) {
          const rows = rowsOf(
            ...marks(null, ...hand),
            ...marks("home", ...other),
            ...marks("work", ...before),
          )
          const changes = given(rows, claim)
          const after = [...marks(null, ...hand), ...marks("home", ...other), ...marks("work", ...claim)]
          assert.deepEqual(marksAfter(rows, changes), marksAfter({ ...rows, memberships: after }, []))
          const isSame = claim.join() === before.join()
          assert.equal(changes.length === 0, isSame, "nothing is written without a change of a mark")
          const [had, has] = [groupsOf(rows.memberships), groupsOf(after)]
          const [joined, left] = [
            has.filter((one) => !had.includes(one)),
            had.filter((one) => !has.includes(one)),
          ]
          assert.deepEqual(eventsOf(changes), [
            ...(joined.length > 0 ? [`groups-joined: ${joined.join(" ")}, by the rule of work`] : []),
            ...(left.length > 0 ? [`groups-left: ${left.join(" ")}, by the rule of work`] : []),
          ])
        }
})

test("GROUP-14 without a rule nothing changes, whatever the provider gave before", () => {
  assert.deepEqual(given(rowsOf(...marks("work", "a")), null), [])
  assert.deepEqual(
    groupChanges({ account, memberships: null }, { provider: "work", groups: null, ...by }),
    [],
  )
})

test("GROUP-15 of more groups than an account has, the first by name count, and no mark of another giver ends", () => {
  const many = Array.from({ length: 60 }, (_, at) => `g${String(at).padStart(2, "0")}`)
  const empty = rowsOf()
  assert.deepEqual(
    marksAfter(empty, given(empty, many)),
    many.slice(0, 50).map((name) => `work ${name}`),
  )
  const rows = rowsOf(...marks(null, "z", "g59"), ...marks("home", "y"))
  const after = marksAfter(rows, given(rows, many))
  assert.deepEqual(after, [
    "hand g59",
    "hand z",
    "home y",
    ...many.slice(0, 47).map((name) => `work ${name}`),
    "work g59",
  ])
})

test("GROUP-16 ended marks leave the groups that another giver still gives", () => {
  const rows = rowsOf(...marks(null, "a"), ...marks("home", "c"), ...marks("work", "a", "b"))
  const changes = endedMarks(rows, ({ provider }) => provider === "work", by, "work")
  assert.deepEqual(marksAfter(rows, changes), ["hand a", "home c"])
  assert.deepEqual(eventsOf(changes), ["groups-left: b, by the rule of work"])
  assert.deepEqual(
    endedMarks(rows, ({ provider }) => provider === "gone", by, "gone"),
    [],
  )
  assert.deepEqual(
    endedMarks({ account, memberships: null }, () => true, by, "work"),
    [],
  )
})
