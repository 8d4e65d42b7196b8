import { test } from "node:test"
import assert from "node:assert/strict"
import { actorOf } from "../../../src/admin/events/event-actor.rules.ts"
import { eventKinds } from "../../../src/model/event.rules.ts"

const facts = {
  user_id: "u1",
  username: "ada",
  client_id: "c1",
  client_name: "Notes",
  actor_id: null,
  actor: null,
  address: "192.0.2.7",
  detail: null,
}

test("CONSOLE-3: every event says who did it", () => {
  assert.equal(actorOf({ ...facts, kind: "consented" }), "ada")
  assert.equal(actorOf({ ...facts, kind: "consented", username: null }), "u1")
  assert.equal(actorOf({ ...facts, kind: "account-disabled", actor_id: "u2", actor: "root" }), "root")
  assert.equal(actorOf({ ...facts, kind: "account-disabled", actor_id: "u2" }), "u2")
  assert.equal(actorOf({ ...facts, kind: "setting-changed", address: null }), "command line or service")
  assert.equal(actorOf({ ...facts, kind: "sign-in-refused" }), "unknown")
  assert.equal(actorOf({ ...facts, kind: "code-replayed" }), "Notes")
  assert.equal(actorOf({ ...facts, kind: "credential-revoked", detail: "app" }), "Notes")
  assert.equal(actorOf({ ...facts, kind: "credential-revoked", detail: "account-holder" }), "ada")
  assert.equal(actorOf({ ...facts, kind: "app-registered", user_id: null, username: null }), "Notes")
  const nothing = { user_id: null, username: null, client_id: null, client_name: null, address: "::1" }
  for (const kind of eventKinds) assert.notEqual(actorOf({ ...facts, ...nothing, kind }), "")
})
