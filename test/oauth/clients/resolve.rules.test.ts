import { test } from "node:test"
import assert from "node:assert/strict"
import { UNUSED_APP_SECONDS } from "../../../src/kernel/limits.ts"
import { DAY } from "../../../src/kernel/time.ts"
import { parseClientId, resolveClient } from "../../../src/oauth/clients/resolve.rules.ts"
import { deletedUnlessUsedAt } from "../../../src/model/self-registration.rules.ts"
import { hash, NOW, publicClient } from "../../support/core-sample.ts"

const itself = {
  ...publicClient,
  registeredBy: "itself",
  registrationHash: hash("words"),
  deleteAfter: deletedUnlessUsedAt(NOW),
} as const

test("SVC-8, LIM: an app that registered itself is there for 90 days, to the second", () => {
  assert.equal(UNUSED_APP_SECONDS, 90 * DAY)
  assert.equal(resolveClient(itself, itself.deleteAfter - 1), itself)
  assert.equal(resolveClient(itself, itself.deleteAfter), null)
  assert.equal(resolveClient(null, NOW), null)
  assert.equal(resolveClient(publicClient, NOW * 2), publicClient, "others do not go by themselves")
})

test("AUTH-2 a text that cannot be a client_id is never looked up", () => {
  assert.equal(parseClientId(publicClient.clientId), publicClient.clientId)
  for (const text of ["", `${publicClient.clientId}?`, `${publicClient.clientId} `, "https://app.example/"])
    assert.equal(parseClientId(text), null, text)
})
