import assert from "node:assert/strict"
import { test } from "node:test"
import type { ClientId, TokenId, UserId } from "../../src/kernel/ids.ts"
import type { Change } from "../../src/model/change.rules.ts"
import { reasons } from "../../src/model/refusals/reasons.rules.ts"
import { event } from "../../src/model/event.rules.ts"
import { countedOf, countedEvents, refusalOf, refusedNames } from "../../src/model/tally-names.rules.ts"
import { active, deviceGrant, id, NOW } from "../store/samples.ts"

const clientId = id<ClientId>("c")
const names = (change: Change) => countedOf(change).map(({ name, clientId: of }) => [name, of])
const recorded = (kind: Parameters<typeof event>[0]): Change => ({
  change: "eventRecorded",
  event: event(kind, NOW, { clientId }),
})

test("an event of the audit trail counts as what it tells, for its app", () => {
  assert.deepEqual(names(recorded("code-exchanged")), [["credential.issued", clientId]])
  assert.deepEqual(names(recorded("refresh-token-reused")), [["credential.reused", clientId]])
  assert.deepEqual(names(recorded("account-changed")), [])
})

test("DG-1 what a machine fetches is a credential issued as well", () => {
  assert.deepEqual(names(recorded("device-code-redeemed")), [
    ["credential.issued", clientId],
    ["device.redeemed", clientId],
  ])
})

test("CRED-4 an end is counted when it is stored, a rotation is not counted here", () => {
  const ended: Change = {
    change: "credentialChanged",
    credential: { ...active(), life: { state: "ended", family: null, endedAt: NOW, because: "idle" } },
  }
  assert.deepEqual(names(ended), [["credential.ended", clientId]])
  assert.deepEqual(names({ change: "credentialChanged", credential: active() }), [])
})

test("DG-7 device grants are counted as they are asked for and expire, step-ups apart", () => {
  const purpose = {
    purpose: "step-up",
    tokenId: id<TokenId>("t"),
    userId: id<UserId>("a"),
    reason: null,
  } as const
  assert.deepEqual(names({ change: "deviceGrantAdded", grant: deviceGrant() }), [["device.asked", clientId]])
  const stepUp = deviceGrant(0, { state: "pending" }, { purpose })
  assert.deepEqual(names({ change: "deviceGrantAdded", grant: stepUp }), [["step-up.asked", clientId]])
  const expired = { state: "expired" } as const
  assert.deepEqual(names({ change: "deviceGrantChanged", grant: deviceGrant(0, expired) }), [
    ["device.expired", clientId],
  ])
  assert.deepEqual(names({ change: "deviceGrantChanged", grant: deviceGrant(0, expired, { purpose }) }), [])
})

test("every reason has a name, and no name is that of a counted event", () => {
  for (const [reason, name] of Object.entries(refusedNames)) assert.equal(refusalOf(name), reason)
  assert.deepEqual(Object.keys(refusedNames), Object.keys(reasons))
  for (const name of Object.keys(countedEvents)) assert.equal(refusalOf(name), null)
})
