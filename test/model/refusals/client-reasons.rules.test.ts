import { test } from "node:test"
import assert from "node:assert/strict"
import { clientReasons } from "../../../src/model/refusals/client-reasons.rules.ts"

test("ERR-1 the wire does not tell why authentication failed", () => {
  const failed = Object.values(clientReasons).filter(({ wire }) => wire.error === "invalid_client")
  assert.ok(failed.length > 10)
  assert.equal(new Set(failed.map(({ wire }) => JSON.stringify(wire))).size, 1)
})
