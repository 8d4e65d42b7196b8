import { test } from "node:test"
import assert from "node:assert/strict"
import type { ClientId } from "../../../src/kernel/ids.ts"
import type { Change } from "../../../src/model/change.rules.ts"
import {
  decidePoll,
  pacedRefusal,
  type Poll,
  tokenIdOf,
} from "../../../src/oauth/device/device-poll.rules.ts"
import { CREDENTIAL_SECONDS } from "../../../src/kernel/limits.ts"
import {
  account,
  credential,
  deviceGrant,
  deviceRequest,
  deviceStates,
  GRANT_ID,
  hash,
  lives,
  NOW,
  pair,
  permissions,
  publicClient,
  sampleCatalog,
  stepUpRequest,
  USER_ID,
} from "../../support/core-sample.ts"

const minting = {
  now: NOW + 30,
  address: "192.0.2.1",
  accessSeconds: 3600,
  familyKey: "family key",
  pairOf: () => pair(1),
}

function poll(changes: Partial<Poll> = {}): Poll {
  return {
    client: publicClient,
    grant: deviceGrant(deviceStates.approved),
    approver: account,
    credential: null,
    deviceHash: hash("device"),
    ...changes,
  }
}

/** Returns the poll of an approved step-up whose credential is elevated. */
function stepUpPoll(changes: Partial<Poll> = {}): Poll {
  const grant = deviceGrant(deviceStates.approved, stepUpRequest)
  return poll({ grant, credential: credential({ ...lives.active, elevatedUntil: NOW + 31 }), ...changes })
}

/** Returns why a poll was refused, and the kinds of changes that are still written. */
function refusal(of: Poll, now = NOW + 30): readonly string[] {
  const { answer, changes } = decidePoll(sampleCatalog, of, { ...minting, now })
  assert.equal(answer.ok, false)
  return [answer.ok ? "" : answer.error.reason, ...changes.map(({ change }) => change)]
}

function answerStored(changes: readonly Change[]) {
  const [stored] = changes
  if (stored?.change !== "deviceGrantChanged") assert.fail("the grant was not written")
  return stored.grant.answer
}

test("DG-3, GRANT-1 the fetch mints a credential with the approval as its consent", () => {
  const { answer, changes } = decidePoll(sampleCatalog, poll(), minting)
  assert.ok(answer.ok && !("elevated" in answer.value))
  assert.equal(answer.value.access_token, pair(1).accessToken)
  assert.equal(answer.value.scope, "files:read workers:read")
  assert.equal(answer.value.token_id, GRANT_ID)
  assert.deepEqual(answerStored(changes), { state: "redeemed", redeemedAt: NOW + 30, userId: USER_ID })
  const [, added, recorded] = changes
  assert.ok(added?.change === "credentialAdded" && added.credential.life.state === "active")
  assert.deepEqual(added.credential.consent, {
    tokenId: tokenIdOf(GRANT_ID),
    clientId: publicClient.clientId,
    userId: USER_ID,
    installationName: "Build box",
    scope: permissions("files:read workers:read"),
    resources: [],
    consentedAt: NOW + 5,
    endsAt: NOW + 5 + CREDENTIAL_SECONDS,
    openid: null,
  })
  assert.equal(added.credential.code, null)
  assert.equal(added.credential.life.family.currentHash, pair(1).refreshHash)
  assert.ok(recorded?.change === "eventRecorded" && recorded.event.kind === "device-code-redeemed")
  assert.equal(changes.length, 3)
})

test("PERM-5 what is answered is reached now, not what was approved then", () => {
  const { answer } = decidePoll(sampleCatalog, poll({ client: { ...publicClient, ceiling: [] } }), minting)
  assert.ok(answer.ok && !("elevated" in answer.value))
  assert.equal(answer.value.scope, "")
})

test("STEP-3 the poll of a step-up succeeds with elevated and mints nothing", () => {
  const { answer, changes } = decidePoll(sampleCatalog, stepUpPoll(), minting)
  assert.deepEqual(answer, { ok: true, value: { elevated: true } })
  assert.deepEqual(
    changes.map(({ change }) => change),
    ["deviceGrantChanged"],
  )
  const again = deviceGrant(answerStored(changes), stepUpRequest)
  assert.deepEqual(refusal(stepUpPoll({ grant: again })), ["deviceRedeemed"])
})

test("STEP-5 a credential that ended makes every open step-up invalid_grant, and an answered one stays as it is", () => {
  const lifetimeOver = { ...credential(lives.active) }
  const over = { ...lifetimeOver, consent: { ...lifetimeOver.consent, endsAt: NOW + 29 } }
  const ends = [
    [credential(lives.revoked), "credentialRevoked", []],
    [credential(lives.ended), "credentialEnded", []],
    [null, "credentialEnded", []],
    [over, "credentialEnded", ["credentialChanged"]],
  ] as const
  for (const [ended, reason, written] of ends) {
    for (const state of ["pending", "approved"] as const) {
      const grant = deviceGrant(deviceStates[state], stepUpRequest)
      assert.deepEqual(refusal(stepUpPoll({ grant, credential: ended })), [reason, ...written])
    }
    for (const [state, because] of [
      ["denied", "deviceDenied"],
      ["redeemed", "deviceRedeemed"],
      ["expired", "deviceExpired"],
    ] as const) {
      const grant = deviceGrant(deviceStates[state], stepUpRequest)
      assert.deepEqual(refusal(stepUpPoll({ grant, credential: ended })), [because])
    }
  }
})

test("DG-9 a step-up whose elevated window is over is expired, for good", () => {
  for (const elevatedUntil of [NOW + 29, NOW + 6, null]) {
    const lapsed = credential({ ...lives.active, elevatedUntil })
    assert.deepEqual(refusal(stepUpPoll({ credential: lapsed })), ["deviceExpired", "deviceGrantChanged"])
    const { changes } = decidePoll(sampleCatalog, stepUpPoll({ credential: lapsed }), minting)
    const grant = deviceGrant(answerStored(changes), stepUpRequest)
    assert.deepEqual(refusal(stepUpPoll({ grant })), ["deviceExpired"])
  }
})

test("DEV-1 a code that is not this one, or of nothing, is unknown", () => {
  assert.deepEqual(refusal(poll({ grant: null })), ["deviceCodeUnknown"])
  assert.deepEqual(refusal(poll({ deviceHash: hash("other") })), ["deviceCodeUnknown"])
})

test("TOKEN-2 another app's poll fetches nothing", () => {
  const client = { ...publicClient, clientId: "01kb3w5f6y8m2q4r7t9v1x3z5z" as ClientId }
  assert.deepEqual(refusal(poll({ client })), ["deviceCodeOfAnotherClient"])
})

test("DG-1, DG-2, ERR-5, ERR-6, LIM-3 a pending grant answers by its pace, and tells the interval to keep", () => {
  const grant = deviceGrant(deviceStates.pending)
  assert.deepEqual(refusal(poll({ grant })), ["devicePending"])
  assert.deepEqual(pacedRefusal(GRANT_ID, null), { reason: "devicePending" })
  assert.deepEqual(pacedRefusal(GRANT_ID, 15), { reason: "devicePolledEarly", interval: 15 })
})

test("DG-2 a poll of an answered grant never has to wait, so its interval does not matter", () => {
  assert.ok(decidePoll(sampleCatalog, poll(), minting).answer.ok)
  for (const [state, reason] of [
    ["denied", "deviceDenied"],
    ["redeemed", "deviceRedeemed"],
    ["expired", "deviceExpired"],
  ] as const)
    assert.deepEqual(refusal(poll({ grant: deviceGrant(deviceStates[state]) })), [reason])
})

test("DG-7, ERR-8 an expiry is stored with the first poll that tells it", () => {
  for (const [state, end] of [
    ["pending", NOW + 601],
    ["approved", NOW + 606],
  ] as const) {
    const polled = poll({ grant: deviceGrant(deviceStates[state]) })
    assert.deepEqual(refusal(polled, end), ["deviceExpired", "deviceGrantChanged"])
    const { changes } = decidePoll(sampleCatalog, polled, { ...minting, now: end })
    const grant = deviceGrant(answerStored(changes))
    assert.deepEqual(refusal(poll({ grant }), NOW), ["deviceExpired"])
  }
})

test("ERR-7, PAGE-1 an approver who is disabled or gone means denied, for good", () => {
  for (const approver of [null, { ...account, enabled: false }]) {
    assert.deepEqual(refusal(poll({ approver })), ["deviceApprovalVoid", "deviceGrantChanged"])
    const { changes } = decidePoll(sampleCatalog, poll({ approver }), minting)
    assert.deepEqual(answerStored(changes), { state: "denied", deniedAt: NOW + 30, userId: null })
    const grant = deviceGrant(answerStored(changes))
    assert.deepEqual(refusal(poll({ grant })), ["deviceApprovalVoid"])
  }
})

test("TOK-7 a grant passes its id on, so that it becomes at most one credential", () => {
  assert.equal(tokenIdOf(deviceRequest.grantId), GRANT_ID)
})

test("GROUP-6 an approval of an app that the account may not connect now is denied for good", () => {
  const forTeam = { ...publicClient, groups: ["team"] }
  assert.deepEqual(refusal(poll({ client: forTeam })), ["deviceApprovalVoid", "deviceGrantChanged"])
  const { answer } = decidePoll(
    sampleCatalog,
    poll({ client: forTeam, approver: { ...account, groups: ["team"] } }),
    minting,
  )
  assert.equal(answer.ok, true)
})
