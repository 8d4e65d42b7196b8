import { test } from "node:test"
import assert from "node:assert/strict"
import { groupsProblem, planGroup, removedGroup } from "../../../src/admin/apply/group-plan.rules.ts"
import { NOW } from "../../support/core-sample.ts"
import { named, planning } from "./set-up-sample.ts"

const sales = { name: "sales", title: "Sales", createdAt: NOW, members: 3 }
const now = planning({ groups: [sales] })
const of = (name: string, title?: string | null) => named(name, title === undefined ? {} : { title }, 4)
const planned = (...entry: Parameters<typeof of>) => {
  const part = planGroup(now, of(...entry))
  assert.ok(part.ok)
  return part.value
}

test("GROUP-10 a group is added, its title changed, or left alone", () => {
  const kinds = (...entry: Parameters<typeof of>) => {
    const { change, changes } = planned(...entry)
    return [change, ...changes.map((one) => (one.change === "eventRecorded" ? one.event.detail : one.change))]
  }
  assert.deepEqual(kinds("staff"), ["add", "groupSet", "staff added", "appliedSet"])
  assert.deepEqual(kinds("sales"), ["keep"])
  assert.deepEqual(kinds("sales", "Sales"), ["keep"])
  assert.deepEqual(kinds("sales", null), ["update", "groupSet", "sales title"])
  assert.deepEqual(planned("sales", "New").members, [{ member: "title", before: "Sales", after: "New" }])
})

test("APPLY-2 a name or a title that a command would refuse is refused", () => {
  const problem = (...entry: Parameters<typeof of>) => {
    const part = planGroup(now, of(...entry))
    return part.ok ? "" : part.error.problem
  }
  assert.match(problem("Big Ones"), /^groups: Big Ones: A group’s name has 1 to 64/)
  assert.match(problem("staff", "x".repeat(999)), /^groups: staff: A title has 1 to/)
  assert.equal(groupsProblem(new Set(["a"]), ["a"]), null)
  assert.equal(groupsProblem(new Set(["a"]), ["a", "b"]), 'There is no group "b".')
})

test("APPLY-4 a removed group is recorded with the number of its members, and one that is gone is not removed again", () => {
  assert.equal(removedGroup(now, "staff"), null)
  const [change, recorded] = removedGroup(now, "sales") ?? []
  assert.deepEqual(change, { change: "groupRemoved", name: "sales" })
  assert.equal(recorded?.change === "eventRecorded" && recorded.event.detail, "sales removed, 3 members")
})
