import { test } from "node:test"
import assert from "node:assert/strict"
import {
  decideStepUp,
  parseStepUpReason,
  type StepUpAnswer,
} from "../../../src/oauth/step-up/step-up.rules.ts"
import { CREDENTIAL_SECONDS } from "../../../src/kernel/limits.ts"
import {
  credential,
  deviceGrant,
  deviceStates,
  form,
  lives,
  NOW,
  publicClient,
  stepUpRequest,
  USER_ID,
} from "../../support/core-sample.ts"

function answer(changes: Partial<StepUpAnswer> = {}): StepUpAnswer {
  return {
    grant: deviceGrant(deviceStates.pending, stepUpRequest),
    credential: credential(lives.active),
    client: { ...publicClient, stepUp: true },
    isProven: true,
    windowSeconds: 900,
    now: NOW + 9,
    address: "192.0.2.9",
    ...changes,
  }
}

/** Returns the outcome and the changes. */
function outcome(changes: Partial<StepUpAnswer> = {}): readonly unknown[] {
  const made = decideStepUp(answer(changes))
  return [
    made.answer,
    ...made.changes.map((change) => {
      if (change.change === "deviceGrantChanged") return change.grant.answer.state
      if (change.change === "credentialChanged" && change.credential.life.state === "active")
        return change.credential.life.elevatedUntil
      return change.change === "eventRecorded" ? change.event.kind : change.change
    }),
  ]
}

test("STEP-2 a proven factor elevates the credential for the window", () => {
  assert.deepEqual(outcome(), ["approved", NOW + 9 + 900, "approved", "elevated"])
  const { changes } = decideStepUp(answer())
  const approved = changes.find(({ change }) => change === "deviceGrantChanged")
  assert.deepEqual(approved?.change === "deviceGrantChanged" && approved.grant.answer, {
    state: "approved",
    userId: USER_ID,
    granted: [],
    approvedAt: NOW + 9,
    openid: null,
  })
})

test("STEP-2 the window ends with the credential", () => {
  const short = credential(lives.active)
  const consent = { ...short.consent, endsAt: NOW + 100 }
  assert.deepEqual(outcome({ credential: { ...short, consent } })[1], NOW + 100)
})

test("STEP-2 nothing else of the credential changes", () => {
  const before = credential(lives.active)
  const [stored] = decideStepUp(answer()).changes
  assert.ok(stored?.change === "credentialChanged")
  assert.deepEqual(stored.credential, { ...before, life: { ...before.life, elevatedUntil: NOW + 909 } })
})

test("STEP-2 without a proof it is refused, and the credential is as it was", () => {
  assert.deepEqual(outcome({ isProven: false }), ["denied", "denied", "elevation-refused"])
})

test("STEP-5 a credential that ended, or is gone, is never elevated, and its grant is left as it is", () => {
  for (const isProven of [true, false]) {
    for (const life of [lives.issued, lives.revoked, lives.ended])
      assert.deepEqual(outcome({ credential: credential(life), isProven }), ["connection-ended"])
    assert.deepEqual(outcome({ credential: null, isProven }), ["connection-ended"])
  }
  const over = credential(lives.active)
  const consent = { ...over.consent, endsAt: NOW + 8, consentedAt: NOW + 8 - CREDENTIAL_SECONDS }
  assert.deepEqual(outcome({ credential: { ...over, consent } }), ["connection-ended", "credentialChanged"])
})

test("STEP-2, DG-6 once answered, or too late, nothing is elevated", () => {
  for (const state of ["approved", "redeemed", "denied"] as const) {
    const grant = deviceGrant(deviceStates[state], stepUpRequest)
    assert.deepEqual(outcome({ grant }), ["answered-before"])
    assert.deepEqual(outcome({ grant, isProven: false }), ["answered-before"])
  }
  assert.deepEqual(outcome({ now: NOW + 601 }), ["too-late", "expired"])
  assert.deepEqual(outcome({ grant: deviceGrant(deviceStates.expired, stepUpRequest) }), ["too-late"])
})

test("STEP-2 a grant of access elevates nothing", () => {
  assert.throws(() => outcome({ grant: deviceGrant(deviceStates.pending) }))
})

test("STEP-4 an app that is gone, or may no longer ask, is not confirmed, and can still be refused", () => {
  const blocked = [
    [null, "app-gone"],
    [{ ...publicClient, stepUp: true, enabled: false }, "app-gone"],
    [{ ...publicClient, stepUp: false }, "not-allowed"],
  ] as const
  for (const [client, because] of blocked) {
    assert.deepEqual(outcome({ client }), [because])
    assert.deepEqual(outcome({ client, isProven: false }), ["denied", "denied", "elevation-refused"])
  }
})

test("STEP-1 the reason is the app's own words: at most 140 characters that can be seen", () => {
  const reason = (text: string) => {
    const parsed = parseStepUpReason(form(text))
    return parsed.ok ? parsed.value : parsed.error.reason
  }
  assert.equal(reason(""), null)
  assert.equal(reason("reason=+"), null)
  assert.equal(reason("reason=+Remove+the+laptop+"), "Remove the laptop")
  assert.equal(reason(`reason=${encodeURIComponent("😀".repeat(140))}`), "😀".repeat(140))
  for (const bad of [`reason=${"x".repeat(141)}`, "reason=a%0Ab", "reason=a%E2%80%AEb", "reason=a%00"])
    assert.equal(reason(bad), "parameterMalformed", bad)
})
