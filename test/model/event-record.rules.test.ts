import { test } from "node:test"
import assert from "node:assert/strict"
import type { ClientId, UserId } from "../../src/kernel/ids.ts"
import { event } from "../../src/model/event.rules.ts"
import { eventRecord } from "../../src/model/event-record.rules.ts"
import { CLIENT_ID, NOW, TOKEN_ID, USER_ID } from "../support/core-sample.ts"

const ADMINISTRATOR = "01kb3w5f6y8m2q4r7t9v1x3z5e" as UserId
const names = {
  accounts: new Map([
    [USER_ID, "Ada"],
    [ADMINISTRATOR, "Grace"],
  ]),
  apps: new Map([[CLIENT_ID, "Sample"]]),
}
const recorded = {
  id: 7,
  ...event("credential-revoked", NOW, {
    userId: USER_ID,
    clientId: CLIENT_ID,
    tokenId: TOKEN_ID,
    actorId: ADMINISTRATOR,
    address: "192.0.2.1",
    detail: "administrator",
  }),
}

test("a record has the ids of an event and the names of today", () => {
  assert.deepEqual(eventRecord(recorded, names), {
    id: 7,
    at: NOW,
    kind: "credential-revoked",
    user_id: USER_ID,
    username: "Ada",
    client_id: CLIENT_ID,
    client_name: "Sample",
    token_id: TOKEN_ID,
    actor_id: ADMINISTRATOR,
    actor: "Grace",
    address: "192.0.2.1",
    detail: "administrator",
  })
})

test("of a removed account or app the id stays, without a name", () => {
  const nameless = { accounts: new Map<UserId, string>(), apps: new Map<ClientId, string>() }
  const { username, client_name, actor, ...ids } = eventRecord(recorded, nameless)
  assert.deepEqual([username, client_name, actor], [null, null, null])
  assert.deepEqual([ids.user_id, ids.client_id, ids.actor_id], [USER_ID, CLIENT_ID, ADMINISTRATOR])
})

test("an event without account, app and actor has no names", () => {
  const record = eventRecord({ id: 1, ...event("setting-changed", NOW, { detail: "a=1" }) }, names)
  assert.deepEqual(record, {
    id: 1,
    at: NOW,
    kind: "setting-changed",
    user_id: null,
    username: null,
    client_id: null,
    client_name: null,
    token_id: null,
    actor_id: null,
    actor: null,
    address: null,
    detail: "a=1",
  })
})
