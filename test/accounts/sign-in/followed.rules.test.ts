import assert from "node:assert/strict"
import { test } from "node:test"
import { followedChanges } from "../../../src/accounts/sign-in/followed.rules.ts"
import { identity, kindsOf, OTHER_ID } from "../providers/provider-samples.ts"
import { account, NOW, USER_ID } from "../../support/core-sample.ts"

type FollowedRows = Parameters<typeof followedChanges>[0]

const rows: FollowedRows = {
  account,
  identity: { ...identity, shownName: "Ada" },
  email: null,
  emailByKey: null,
}
const address = { address: "Ada@shop.example", addressKey: "ada@shop.example" }
const stored = { ...address, userId: USER_ID, verifiedAt: NOW - 1 }
const at = { now: NOW, address: "192.0.2.1", provider: "shop" }
const follow = (more: Partial<FollowedRows>, said: { shownName?: string; email?: typeof address }) =>
  followedChanges({ ...rows, ...more }, { shownName: null, email: null, ...said }, at)

test("LOGIN-6 what the application does not say, or says again, changes nothing", () => {
  assert.deepEqual(follow({}, {}), [])
  assert.deepEqual(follow({}, { shownName: "Ada" }), [])
  assert.deepEqual(follow({ email: stored, emailByKey: stored }, { email: address }), [])
  assert.deepEqual(follow({ email: stored }, {}), [])
})

test("LOGIN-6 another name replaces the shown one, and nothing else of the link", () => {
  const changed = { ...rows.identity, shownName: "Ada Lovelace" }
  assert.deepEqual(follow({}, { shownName: "Ada Lovelace" }), [
    { change: "identityChanged", identity: changed },
  ])
})

test("LOGIN-6 another address replaces the confirmed one, ends links to it, and is in the audit trail", () => {
  const former = { ...stored, address: "old@shop.example", addressKey: "old@shop.example" }
  for (const email of [null, former, { ...stored, address: "ada@shop.example" }]) {
    const changes = follow({ email }, { email: address })
    assert.deepEqual(kindsOf(changes), ["linksEnded", "linksEnded", "emailSet", "eventRecorded"])
    const recorded = changes.find(({ change }) => change === "eventRecorded")
    assert.ok(recorded?.change === "eventRecorded")
    assert.equal(recorded.event.detail, "through shop")
    assert.deepEqual(
      changes.find(({ change }) => change === "emailSet"),
      { change: "emailSet", email: { ...address, userId: USER_ID, verifiedAt: 0 } },
    )
  }
})

test("LOGIN-6 the address of another account is left out", () => {
  const holder = { ...stored, userId: OTHER_ID }
  assert.deepEqual(follow({ emailByKey: holder }, { email: address }), [])
  assert.deepEqual(kindsOf(follow({ emailByKey: holder }, { shownName: "A", email: address })), [
    "identityChanged",
  ])
})
