import { test } from "node:test"
import assert from "node:assert/strict"
import { event } from "../../src/core/event.ts"
import { NOW, USER_ID } from "./sample.ts"

test("an event leaves empty what it is not given", () => {
  assert.deepEqual(event("signed-in", NOW, { userId: USER_ID, address: "192.0.2.1" }), {
    kind: "signed-in",
    at: NOW,
    userId: USER_ID,
    clientId: null,
    tokenId: null,
    actorId: null,
    address: "192.0.2.1",
    detail: null,
  })
})
