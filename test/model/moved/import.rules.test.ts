import { test } from "node:test"
import assert from "node:assert/strict"
import { type Import, IMPORT_SILENT_SECONDS, isLeftOver } from "../../../src/model/moved/import.rules.ts"
import { NOW } from "../../support/core-sample.ts"

const row: Import = {
  importId: 1,
  source: "csv",
  state: "staging",
  begunAt: NOW,
  seenAt: NOW,
  sealedSecret: null,
}

test("MOVE-5 the rows of an import that is silent for more than 15 seconds may go, on any clock", () => {
  assert.equal(IMPORT_SILENT_SECONDS, 15)
  for (const [seconds, expected] of [
    [0, false],
    [15, false],
    [16, true],
    [-15, false],
    [-16, true],
  ] as const)
    assert.equal(isLeftOver(row, NOW + seconds), expected, `${seconds}`)
})

test("MOVE-5 an abandoned import may go at once, a finished one never", () => {
  assert.equal(isLeftOver({ ...row, state: "abandoned" }, NOW), true)
  for (const seconds of [0, 16, 1_000_000])
    assert.equal(isLeftOver({ ...row, state: "finished" }, NOW + seconds), false)
})
