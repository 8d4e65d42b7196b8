import { test } from "node:test"
import assert from "node:assert/strict"
import { deviceAsOf } from "../../src/model/device-grant.rules.ts"
import { DEVICE_SECONDS } from "../../src/kernel/limits.ts"
import { DAY } from "../../src/kernel/time.ts"
import { deviceGrant, deviceStates, NOW } from "../support/core-sample.ts"

const pending = deviceGrant(deviceStates.pending)
const approved = deviceGrant(deviceStates.approved)
const expired = { state: "expired" }

test("DG-7, LIM-2 a pending grant lives through its last second, and is expired after it", () => {
  assert.equal(deviceAsOf(pending, NOW + DEVICE_SECONDS), pending)
  assert.deepEqual(deviceAsOf(pending, NOW + DEVICE_SECONDS + 1), { ...pending, answer: expired })
})

test("DG-9 an approved grant has ten minutes from the decision, however late that was", () => {
  const endsAt = deviceStates.approved.approvedAt + DEVICE_SECONDS
  assert.equal(deviceAsOf(approved, endsAt), approved)
  assert.deepEqual(deviceAsOf(approved, endsAt + 1).answer, expired)
  const late = deviceGrant({ ...deviceStates.approved, approvedAt: pending.request.expiresAt })
  assert.equal(deviceAsOf(late, pending.request.expiresAt + DEVICE_SECONDS), late)
})

test("DG-7 what a clock that was set back would keep open for days is expired", () => {
  assert.equal(deviceAsOf(pending, NOW - DAY), pending)
  assert.deepEqual(deviceAsOf(pending, NOW - 3 * DAY).answer, expired)
})

test("DG-6 an answer that is final stays, at any time", () => {
  for (const state of ["redeemed", "denied", "expired"] as const)
    for (const now of [NOW - 3 * DAY, NOW, NOW + 400 * DAY]) {
      const grant = deviceGrant(deviceStates[state])
      assert.equal(deviceAsOf(grant, now), grant, `${state} at ${now}`)
    }
})
