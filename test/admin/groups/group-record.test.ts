import assert from "node:assert/strict"
import { test } from "node:test"
import { groupedRecord } from "../../../src/admin/groups/group-record.ts"
import { account } from "../../support/core-sample.ts"
import { fixture } from "../../support/fixture.ts"

test("GROUP-11: the memberships of an account are in the order of groups and providers, by hand first", async () => {
  const { testServer } = await fixture({})
  const mark = (group: string, provider: string | null) => ({ group, provider })
  const memberships = [mark("b", "corp"), mark("a", "work"), mark("b", null), mark("a", "corp")]
  const { groups, memberships: shown } = await groupedRecord(testServer.latchkey, {
    account: { ...account, groups: ["a", "b"] },
    memberships,
  })
  assert.deepEqual(groups, ["a", "b"])
  assert.deepEqual(shown, [mark("a", "corp"), mark("a", "work"), mark("b", null), mark("b", "corp")])
})
