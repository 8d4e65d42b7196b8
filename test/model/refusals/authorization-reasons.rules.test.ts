import { test } from "node:test"
import assert from "node:assert/strict"
import { authorizationReasons } from "../../../src/model/refusals/authorization-reasons.rules.ts"

test("ERR-3, ERR-10 every refusal of an authorization or registration request is a 400, so it can be told by redirect", () => {
  for (const [reason, { wire }] of Object.entries(authorizationReasons))
    assert.equal(wire.status, 400, reason)
})
