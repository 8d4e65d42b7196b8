import { test } from "node:test"
import assert from "node:assert/strict"
import { grantReasons } from "../../../src/model/refusals/grant-reasons.rules.ts"

test("ERR-2 the wire does not say whether a code or token belongs to another app", () => {
  assert.deepEqual(grantReasons.codeOfAnotherClient.wire, grantReasons.codeUnknown.wire)
  assert.deepEqual(grantReasons.refreshTokenOfAnotherClient.wire, grantReasons.refreshTokenUnknown.wire)
})
