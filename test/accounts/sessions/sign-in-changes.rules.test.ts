import { test } from "node:test"
import assert from "node:assert/strict"
import { signInChanges } from "../../../src/accounts/sessions/sign-in-changes.rules.ts"
import type { Session } from "../../../src/model/account.rules.ts"
import { event } from "../../../src/model/event.rules.ts"
import { hash, NOW, USER_ID } from "../../support/core-sample.ts"

const session: Session = {
  sessionHash: hash("session"),
  userId: USER_ID,
  createdAt: NOW,
  seenAt: NOW,
  address: "192.0.2.1",
  userAgent: "Browser",
  proof: { by: "password", at: NOW },
  vouched: null,
}
const browserHash = hash("browser")

test("a sign-in adds the session, knows the browser and records how", () => {
  const facts = { session, formerHash: null, browserHash, detail: "passkey" }
  assert.deepEqual(signInChanges(facts), [
    { change: "sessionAdded", session },
    { change: "browserKnown", browserHash, userId: USER_ID, at: NOW },
    {
      change: "eventRecorded",
      event: event("signed-in", NOW, { userId: USER_ID, address: session.address, detail: "passkey" }),
    },
  ])
})

test("SESSION-3 the former session of the browser ends before the new one is counted, and its credentials pass on", () => {
  const formerHash = hash("former")
  const changes = signInChanges({ session, formerHash, browserHash, detail: null })
  assert.deepEqual(changes.slice(0, 2), [
    { change: "sessionEnded", sessionHash: formerHash, at: NOW, successor: session },
    { change: "sessionAdded", session },
  ])
})
