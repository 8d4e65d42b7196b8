import { test } from "node:test"
import assert from "node:assert/strict"
import type { DeviceState } from "../../../src/model/device-grant.rules.ts"
import {
  type DeviceDecision,
  type DeviceEvent,
  decideDevice,
  deviceTable,
} from "../../../src/oauth/device/device-table.rules.ts"
import { deviceGrant, deviceStates, NOW } from "../../support/core-sample.ts"

const polled = (isEarly = false): DeviceEvent => ({ event: "polled", isEarly })
const authorized = (isSure = true): DeviceEvent => ({ event: "authorized", isSure })
const refused: DeviceEvent = { event: "refused" }

function decision(state: DeviceState["state"], event: DeviceEvent, seconds = 5): string {
  return inWords(decideDevice(deviceGrant(deviceStates[state]), event, NOW + seconds))
}

function inWords(made: DeviceDecision): string {
  return made.decision === "answer" ? `answer ${made.reason}` : made.decision
}

test("DG-1, DG-2 a poll before the decision is answered to wait, or to slow down", () => {
  assert.equal(decision("pending", polled()), "answer devicePending")
  assert.equal(decision("pending", polled(true)), "answer devicePolledEarly")
})

test("DG-3, DG-4, DG-5 Authorize approves where it is sure, and else asks once more", () => {
  assert.equal(decision("pending", authorized(false)), "confirm")
  assert.equal(decision("pending", authorized(true)), "approve")
})

test("DG-6 Refuse denies", () => {
  assert.equal(decision("pending", refused), "deny")
})

test("DG-3, DG-5 an approved grant is fetched, however fast the machine polls", () => {
  assert.equal(decision("approved", polled()), "redeem")
  assert.equal(decision("approved", polled(true)), "redeem")
})

test("DG-6, DG-7 a grant that has ended says so, however fast the device polls", () => {
  const reasons = { redeemed: "deviceRedeemed", denied: "deviceDenied", expired: "deviceExpired" } as const
  for (const [state, reason] of Object.entries(reasons) as [keyof typeof reasons, string][]) {
    assert.equal(decision(state, polled()), `answer ${reason}`)
    assert.equal(decision(state, polled(true)), `answer ${reason}`)
  }
})

test("DG-6 once answered, no click changes anything", () => {
  for (const state of ["approved", "redeemed", "denied", "expired"] as const)
    for (const event of [authorized(true), authorized(false), refused])
      assert.equal(decision(state, event), "leave", `${state} ${event.event}`)
})

test("DG-7, DG-9, LIM-2 a pending grant ends ten minutes after the request, an approved one ten minutes after the answer", () => {
  for (const [state, from] of [
    ["pending", 0],
    ["approved", deviceStates.approved.approvedAt - NOW],
  ] as const) {
    assert.notEqual(decision(state, polled(), from + 600), "answer deviceExpired")
    assert.equal(decision(state, polled(), from + 601), "answer deviceExpired")
    assert.equal(decision(state, authorized(), from + 601), "leave")
    assert.equal(decision(state, refused, from + 601), "leave")
  }
  const late = deviceGrant({ ...deviceStates.approved, approvedAt: NOW + 599 })
  assert.equal(inWords(decideDevice(late, polled(), NOW + 1199)), "redeem")
  assert.equal(inWords(decideDevice(late, polled(), NOW + 1200)), "answer deviceExpired")
  assert.equal(decision("denied", polled(), 86_400), "answer deviceDenied")
  assert.equal(decision("redeemed", polled(), 86_400), "answer deviceRedeemed")
})

test("DG-7 an expiry that is stored holds with the clock set back", () => {
  assert.equal(decision("expired", polled(), -5), "answer deviceExpired")
})

test("DG-1…DG-7 there is a cell for every state and every event", () => {
  assert.deepEqual(Object.keys(deviceTable), Object.keys(deviceStates))
  for (const cells of Object.values(deviceTable))
    assert.deepEqual(Object.keys(cells), ["polled", "authorized", "refused"])
})
