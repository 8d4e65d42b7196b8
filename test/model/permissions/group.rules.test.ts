import { test } from "node:test"
import assert from "node:assert/strict"
import {
  groupsOf,
  isGroupName,
  isGroupTitle,
  parseAppGroups,
} from "../../../src/model/permissions/group.rules.ts"

test("GROUP-3 a name has 1 to 64 of a-z 0-9 . _ : -", () => {
  for (const name of ["a", "team:sales-2.eu_west", "0", "x".repeat(64)]) assert.equal(isGroupName(name), true)
  for (const name of ["", "Team", "a b", "a,b", "ä", "x".repeat(65), "a\n"])
    assert.equal(isGroupName(name), false)
})

test("GROUP-3 a title is a visible text", () => {
  for (const title of ["Sales", "営業", "x".repeat(100)]) assert.equal(isGroupTitle(title), true)
  for (const title of ["", "x".repeat(101), "a\nb", "\u{202e}"]) assert.equal(isGroupTitle(title), false)
})

test("GROUP-3 an account is in a group once, with however many marks", () => {
  const memberships = [
    { group: "b", provider: null },
    { group: "a", provider: "corp" },
    { group: "b", provider: "corp" },
  ]
  assert.deepEqual(groupsOf(memberships), ["a", "b"])
})

test("GROUP-17 an app is for at most 50 groups, sorted and each once, and a wrong name is named", () => {
  assert.deepEqual(parseAppGroups(["b", "a", "b"]), { ok: true, value: ["a", "b"] })
  assert.match(JSON.stringify(parseAppGroups(["a", "B"])), /"B\\" is not a name/)
  const names = Array.from({ length: 51 }, (_, at) => `g${at}`)
  assert.equal(parseAppGroups(names.slice(1)).ok, true)
  assert.equal(parseAppGroups(names).ok, false)
})
