import { test } from "node:test"
import assert from "node:assert/strict"
import { plannedLines, plannedRecord, summary } from "../../../src/admin/apply/plan-text.rules.ts"
import type { Planned } from "../../../src/admin/apply/part.rules.ts"

const app = { what: "app", key: "notes", made: "id", changes: [] } as const
const member = (name: string, before: Planned["members"][number]["before"], after = before) => ({
  member: name,
  before,
  after,
})
const added: Planned = {
  change: "add",
  ...app,
  members: [member("name", null, "Notes"), member("type", null)],
}
const changed: Planned = {
  change: "update",
  ...app,
  members: [
    member("redirects", ["a", "b"], ["b", "c"]),
    member("permissions", ["a", "b"], ["b", "a"]),
    member("name", "Notes", 'My "notes"'),
    member("enabled", true, false),
    member("owner", "ada", null),
    member("client_secret_file", null),
  ],
}
const removed: Planned = {
  change: "remove",
  what: "service_account",
  key: "ci",
  made: "id",
  members: [],
  changes: [],
}
const set: Planned = {
  change: "add",
  what: "setting",
  key: "token.access_seconds",
  made: "token.access_seconds",
  changes: [],
  members: [member("value", null, "600")],
}

test("APPLY-3 the plan has a line for each change, and what differs below it, but no secret", () => {
  assert.deepEqual(plannedLines(added, []), ["+ app notes: name, type"])
  assert.deepEqual(plannedLines(set, []), ['+ setting token.access_seconds: "600"'])
  assert.deepEqual(plannedLines({ ...added, members: [] }, []), ["+ app notes"])
  assert.deepEqual(plannedLines(changed, []), [
    "~ app notes",
    "    redirects: +c -a",
    "    permissions: another order",
    '    name: "Notes" -> "My \\"notes\\""',
    "    enabled: true -> false",
    '    owner: "ada" -> none',
    "    client_secret_file: another one",
  ])
  assert.deepEqual(plannedLines({ ...changed, members: [] }, ["It takes."]), ["~ app notes", "    It takes."])
  assert.deepEqual(plannedLines(removed, ["It ends."]), ["- service account ci", "    It ends."])
})

test("APPLY-3 a record names the members, and the summary counts", () => {
  assert.deepEqual(plannedRecord(added), {
    change: "add",
    what: "app",
    key: "notes",
    members: ["name", "type"],
  })
  const all = [added, set, changed, removed]
  assert.equal(summary(all, false), "2 to add, 1 to change, 1 to remove. Nothing was written.")
  assert.equal(summary(all, true), "Applied: 2 added, 1 changed, 1 removed.")
  assert.equal(summary([], true), "Nothing to change: everything is as the file says.")
})
