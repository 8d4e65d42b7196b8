import { test } from "node:test"
import assert from "node:assert/strict"
import type { UserId } from "../../src/kernel/ids.ts"
import { event, eventKinds, isSerious, seriousKinds } from "../../src/model/event.rules.ts"
import { NOW, USER_ID } from "../support/core-sample.ts"

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

test("who does it to itself is no actor of its own", () => {
  const [ada, bob] = ["ada" as UserId, "bob" as UserId]
  assert.equal(event("password-changed", 5, { userId: ada, actorId: ada }).actorId, null)
  assert.equal(event("password-changed", 5, { userId: ada, actorId: bob }).actorId, bob)
  assert.equal(event("setting-changed", 5, { actorId: bob }).actorId, bob)
})

test("AUDIT-1: the serious kinds are the ones that an operator looks into, each of them a kind", () => {
  assert.deepEqual(seriousKinds.toSorted(), [
    "account-removed",
    "administration-granted",
    "app-secret-rotated",
    "code-replayed",
    "codes-closed",
    "factors-reset",
    "guessing-suspected",
    "refresh-repeated-elsewhere",
    "refresh-token-reused",
    "service-secret-forgotten",
    "service-secret-replaced",
    "setting-changed",
    "signing-key-changed",
  ])
  assert.deepEqual(eventKinds.filter(isSerious), seriousKinds)
})
