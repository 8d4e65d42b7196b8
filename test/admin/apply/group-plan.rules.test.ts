import { test } from "node:test"
import assert from "node:assert/strict"
import {
  groupsProblem,
  planGroup,
  planMemberships,
  removedGroup,
} from "../../../src/admin/apply/group-plan.rules.ts"
import { account, NOW } from "../../support/core-sample.ts"
import { planning } from "./set-up-sample.ts"

const sales = { name: "sales", title: "Sales", createdAt: NOW, members: 3 }
const now = planning({ groups: [sales] })
const of = (name: string, title?: string | null) => ({ name, line: 4, title })

test("GROUP-10 a group is added, its title changed, or left alone", () => {
  const kinds = (part: ReturnType<typeof planGroup>) => [
    part.planned[0]?.change,
    ...part.changes.map((one) => (one.change === "eventRecorded" ? one.event.detail : one.change)),
  ]
  assert.deepEqual(kinds(planGroup(now, of("staff"))), ["add", "groupSet", "staff added", "appliedSet"])
  assert.deepEqual(kinds(planGroup(now, of("sales"))), [undefined])
  assert.deepEqual(kinds(planGroup(now, of("sales", "Sales"))), [undefined])
  assert.deepEqual(kinds(planGroup(now, of("sales", null))), ["update", "groupSet", "sales title"])
  assert.deepEqual(planGroup(now, of("sales", "New")).planned[0]?.members, [
    { member: "title", before: "Sales", after: "New" },
  ])
})

test("APPLY-2 a name or a title that a command would refuse is refused", () => {
  assert.match(
    planGroup(now, of("Big Ones")).problems[0]?.problem ?? "",
    /^groups: Big Ones: A group’s name has 1 to 64/,
  )
  assert.match(
    planGroup(now, of("staff", "x".repeat(999))).problems[0]?.problem ?? "",
    /^groups: staff: A title has 1 to/,
  )
  assert.equal(groupsProblem(new Set(["a"]), ["a"]), null)
  assert.equal(groupsProblem(new Set(["a"]), ["a", "b"]), 'There is no group "b".')
  const many = Array.from({ length: 51 }, (_, n) => `g${n}`)
  assert.deepEqual(planMemberships(now, account, many), {
    ok: false,
    error: "An account is in at most 50 groups.",
  })
})

test("APPLY-4 a removed group is recorded with the number of its members, and one that is gone is not removed again", () => {
  assert.equal(removedGroup(now, "staff"), null)
  const [change, recorded] = removedGroup(now, "sales") ?? []
  assert.deepEqual(change, { change: "groupRemoved", name: "sales" })
  assert.equal(recorded?.change === "eventRecorded" && recorded.event.detail, "sales removed, 3 members")
})
