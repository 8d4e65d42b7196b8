import { test } from "node:test"
import assert from "node:assert/strict"
import { unavailable } from "../../../src/model/refusals/wire-error.rules.ts"

test("a store that cannot answer: 503, never an answer that is final", () => {
  assert.equal(unavailable.status, 503)
  assert.equal(unavailable.error, "temporarily_unavailable")
})
