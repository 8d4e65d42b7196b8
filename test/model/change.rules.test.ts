import { test } from "node:test"
import assert from "node:assert/strict"
import { type Change, decided } from "../../src/model/change.rules.ts"

test("a decision carries its changes in the order in which they are written, and none if none are named", () => {
  const first: Change = { change: "settingSet", key: "a", value: "1" }
  const second: Change = { change: "settingUnset", key: "a" }
  assert.deepEqual(decided("done", first, second), { answer: "done", changes: [first, second] })
  assert.deepEqual(decided(null), { answer: null, changes: [] })
})
