/** The main test of the decision about a registration. It covers every state of the row that is found. */
import { test } from "node:test"
import assert from "node:assert/strict"
import type { ClientId } from "../../../src/kernel/ids.ts"
import { DAY, MINUTE } from "../../../src/kernel/time.ts"
import { deletedUnlessUsedAt } from "../../../src/model/self-registration.rules.ts"
import { decideRegistration } from "../../../src/apps/registration/registration.rules.ts"
import { event } from "../../../src/model/event.rules.ts"
import { confidentialClient, hash, NOW, publicClient } from "../../support/core-sample.ts"

const ADDRESS = "192.0.2.1"
const itself = {
  registeredBy: "itself",
  registrationHash: hash("registration"),
  deleteAfter: deletedUnlessUsedAt(NOW),
} as const
const made = {
  client: { ...publicClient, ...itself, clientId: "01kb3w5f6y8m2q4r7t9v1x3z6a" as ClientId },
  secret: null,
  icon: null,
}
const before = { ...publicClient, ...itself }
const recorded = {
  change: "eventRecorded",
  event: event("app-registered", NOW, { clientId: made.client.clientId, address: ADDRESS }),
} as const

test("REG-2 without an app of the same metadata a new one is stored and recorded", () => {
  assert.deepEqual(decideRegistration(null, made, ADDRESS, NOW), {
    answer: { client: made.client, secret: null },
    changes: [{ change: "clientAdded", client: made.client }, recorded],
  })
})

test("REG-2, ICON-1 the icon is stored with the app", () => {
  const icon = { png: new Uint8Array([1]), hash: hash("icon") }
  const { changes } = decideRegistration(null, { ...made, icon }, ADDRESS, NOW)
  assert.deepEqual(changes, [
    { change: "clientAdded", client: made.client },
    { change: "iconSet", clientId: made.client.clientId, icon },
    recorded,
  ])
})

test("REG-2 the secret of a confidential app is answered with it", () => {
  const client = { ...confidentialClient, ...itself, registrationHash: null }
  const { answer } = decideRegistration(null, { client, secret: "secret", icon: null }, ADDRESS, NOW)
  assert.deepEqual(answer, { client, secret: "secret" })
})

test("REG-2 an app that registers again gets its row, and a later end at most once a minute", () => {
  for (const [later, isMoved] of [
    [0, false],
    [MINUTE, false],
    [MINUTE + 1, true],
    [89 * DAY, true],
  ] as const) {
    const now = NOW + later
    const moved = { ...before, deleteAfter: deletedUnlessUsedAt(now) }
    assert.deepEqual(decideRegistration(before, made, ADDRESS, now), {
      answer: { client: before, secret: null },
      changes: isMoved ? [{ change: "clientChanged", client: moved }] : [],
    })
  }
})

test("REG-2 an app without an end keeps none", () => {
  const { answer, changes } = decideRegistration({ ...before, deleteAfter: null }, made, ADDRESS, NOW)
  assert.equal(answer.client.clientId, before.clientId)
  assert.deepEqual(changes, [])
})

test("REG-2 an expired app gives up its metadata to the new one", () => {
  for (const now of [itself.deleteAfter, itself.deleteAfter + DAY]) {
    const { answer, changes } = decideRegistration(before, made, ADDRESS, now)
    assert.equal(answer.client, made.client)
    assert.deepEqual(changes.slice(0, 2), [
      { change: "clientChanged", client: { ...before, registrationHash: null } },
      { change: "clientAdded", client: made.client },
    ])
  }
})
