import { test } from "node:test"
import assert from "node:assert/strict"
import { type DeviceAnswer, decideDeviceAnswer } from "../../../src/oauth/device/device-answer.rules.ts"
import type { DeviceState } from "../../../src/model/device-grant.rules.ts"
import {
  deviceGrant,
  deviceStates,
  NOW,
  permissions,
  sampleCatalog,
  USER_ID,
  bounds,
  standing,
  catalog,
} from "../../support/core-sample.ts"

const plain = permissions("files:read workers:read")
const administration = permissions("admin:accounts files:read workers:read")

function answer(changes: Partial<DeviceAnswer> = {}): DeviceAnswer {
  return {
    grant: deviceGrant(deviceStates.pending),
    authorizes: true,
    isConfirmed: false,
    userId: USER_ID,
    granted: plain,
    standing: standing(true),
    bounds: bounds("files:write admin:hub admin:accounts admin:settings admin:events"),
    openid: "{}",
    now: NOW + 9,
    address: "192.0.2.9",
    ...changes,
  }
}

/** Returns the outcome, the grant's answer if it was written, and the event. */
function outcome(changes: Partial<DeviceAnswer>): readonly unknown[] {
  const made = decideDeviceAnswer(sampleCatalog, answer(changes))
  return [
    made.answer,
    ...made.changes.map((change) => {
      if (change.change === "deviceGrantChanged") return change.grant.answer
      return change.change === "eventRecorded" ? change.event.kind : change.change
    }),
  ]
}

const approved = (granted: typeof plain): DeviceState => ({
  state: "approved",
  userId: USER_ID,
  granted,
  approvedAt: NOW + 9,
  openid: null,
})
const denied: DeviceState = { state: "denied", deniedAt: NOW + 9, userId: USER_ID }

test("DG-3 Authorize approves what the page showed, for the account that clicked", () => {
  assert.deepEqual(outcome({}), ["approved", approved(plain), "device-approved"])
})

test("DG-4 the first Authorize of a grant that reaches hub administration writes nothing", () => {
  assert.deepEqual(outcome({ granted: administration }), ["confirm"])
  assert.deepEqual(outcome({ granted: permissions("admin:settings") }), ["confirm"])
})

test("DG-4, PERM-4 a permission that merely implies the family takes two clicks as well", () => {
  assert.deepEqual(outcome({ granted: permissions("admin:hub") }), ["confirm"])
})

test("DG-3 an admin permission outside the family takes one click", () => {
  const granted = permissions("admin:events")
  assert.deepEqual(outcome({ granted }), ["approved", approved(granted), "device-approved"])
})

test("DG-5 the second Authorize approves", () => {
  assert.deepEqual(outcome({ granted: administration, isConfirmed: true }), [
    "approved",
    approved(administration),
    "device-approved",
  ])
})

test("DG-6 Refuse denies, on either page", () => {
  for (const isConfirmed of [false, true])
    assert.deepEqual(outcome({ authorizes: false, isConfirmed }), ["denied", denied, "device-refused"])
})

test("DG-6 Authorize where nothing can be granted is a refusal", () => {
  assert.deepEqual(outcome({ granted: [] }), ["denied", denied, "device-refused"])
  assert.deepEqual(outcome({ granted: [], isConfirmed: true }), ["denied", denied, "device-refused"])
})

test("DG-6 once answered, a second answer changes nothing and says so", () => {
  for (const state of ["approved", "redeemed", "denied"] as const)
    for (const authorizes of [true, false])
      assert.deepEqual(outcome({ grant: deviceGrant(deviceStates[state]), authorizes }), ["answered-before"])
  assert.deepEqual(outcome({ grant: null }), ["too-late"])
})

test("PAGE-1 an answer of another account, or a void one, is not this account's", () => {
  const userId = "01kb3w5f6y8m2q4r7t9v1x3z0z" as typeof USER_ID
  for (const state of ["approved", "redeemed", "denied"] as const)
    for (const authorizes of [true, false]) {
      const grant = deviceGrant(deviceStates[state])
      assert.deepEqual(outcome({ grant, authorizes, userId }), ["answered-by-another"])
    }
  const grant = deviceGrant({ ...deviceStates.denied, userId: null })
  assert.deepEqual(outcome({ grant }), ["answered-by-another"])
})

test("DG-8 an account that is no administrator any more grants no admin permission, by any click, and can refuse", () => {
  const cases = [
    administration,
    permissions("admin:hub"),
    permissions("admin:events"),
    permissions("files:read admin:events"),
  ]
  for (const granted of cases)
    for (const isConfirmed of [false, true]) {
      const withdrawn = { granted, isConfirmed, standing: standing(false) }
      assert.deepEqual(outcome(withdrawn), ["administration-withdrawn"])
      assert.deepEqual(outcome({ ...withdrawn, authorizes: false }), ["denied", denied, "device-refused"])
    }
  assert.deepEqual(outcome({ standing: standing(false) }), ["approved", approved(plain), "device-approved"])
})

test("PAGE-1 the confirmation page is not shown for what the app is not registered for any more", () => {
  const ofApp = bounds("files:read admin:accounts")
  assert.deepEqual(outcome({ granted: administration, bounds: ofApp }), ["confirm"])
  for (const less of ["files:read", "admin:accounts", "files:read admin:settings"])
    assert.deepEqual(outcome({ granted: administration, bounds: bounds(less) }), ["request-changed"])
})

test("DG-7 an answer that comes too late stores the expiry that it tells", () => {
  for (const authorizes of [true, false]) {
    assert.deepEqual(outcome({ now: NOW + 601, authorizes }), ["too-late", deviceStates.expired])
    assert.deepEqual(outcome({ grant: deviceGrant(deviceStates.expired), authorizes }), ["too-late"])
  }
})

test("GROUP-5 an approval stores what the groups give at that moment, and administration is judged on that", () => {
  const forTeams = catalog({
    open: { title: "Open" },
    "admin:team": { title: "Hub", hub_administration: true, for_groups: ["team"] },
  })
  const asked = permissions("open admin:team")
  const given = (groups: readonly string[], ofApp: readonly string[] = []) => {
    const changes = { granted: asked, standing: standing(true, groups), bounds: bounds(asked, ofApp) }
    const made = decideDeviceAnswer(forTeams, answer(changes))
    const [first] = made.changes
    return first?.change === "deviceGrantChanged" && first.grant.answer.state === "approved"
      ? first.grant.answer.granted.join(" ")
      : [made.answer, ...made.changes]
  }
  assert.deepEqual(given(["team"]), ["confirm"])
  assert.equal(given([]), "open")
  assert.deepEqual(given([], ["team"]), ["groups-withdrawn"])
})
