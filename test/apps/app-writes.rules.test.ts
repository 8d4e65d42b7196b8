import { test } from "node:test"
import assert from "node:assert/strict"
import { addedApp, recordedApp } from "../../src/apps/app-writes.rules.ts"
import type { UserId } from "../../src/kernel/ids.ts"
import { event } from "../../src/model/event.rules.ts"
import { CLIENT_ID, hash, NOW, publicClient, USER_ID } from "../support/core-sample.ts"

const actorId = "01kb3w5f6y8m2q4r7t9v1x3z5e" as UserId
const client = { ...publicClient, ownerId: USER_ID }
const from = { address: "192.0.2.1", actorId }

test("CLIENT-5 a new app is stored before its icon, and recorded", () => {
  const icon = { png: new Uint8Array(), hash: hash("icon") }
  const recorded = {
    change: "eventRecorded",
    event: event("app-registered", NOW, {
      clientId: CLIENT_ID,
      userId: USER_ID,
      actorId,
      address: "192.0.2.1",
    }),
  }
  const added = { change: "clientAdded", client }
  assert.deepEqual(addedApp(client, icon, NOW, from), [
    added,
    { change: "iconSet", clientId: CLIENT_ID, icon },
    recorded,
  ])
  assert.deepEqual(addedApp(client, null, NOW, from), [added, recorded])
})

test("the event of an app has its owner, who else acted, and a detail where there is one", () => {
  const recorded = (...args: Parameters<typeof recordedApp>) => {
    const change = recordedApp(...args)
    assert.ok(change.change === "eventRecorded")
    return change.event
  }
  const changed = recorded("app-changed", client, NOW, from, "name")
  assert.deepEqual(
    [changed.kind, changed.userId, changed.clientId, changed.actorId, changed.detail],
    ["app-changed", USER_ID, CLIENT_ID, actorId, "name"],
  )
  const byOwner = recorded("app-changed", client, NOW, { address: null, actorId: USER_ID })
  assert.deepEqual([byOwner.actorId, byOwner.address, byOwner.detail], [null, null, null])
  const byCommand = recorded("app-removed", publicClient, NOW, { address: null })
  assert.deepEqual([byCommand.actorId, byCommand.userId], [null, null])
})
