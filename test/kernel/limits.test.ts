import { test } from "node:test"
import assert from "node:assert/strict"
import { asOf } from "../../src/model/credential.rules.ts"
import * as limits from "../../src/kernel/limits.ts"
import { classify } from "../../src/oauth/credential/refresh-token.rules.ts"
import { DAY, HOUR, MINUTE, YEAR } from "../../src/kernel/time.ts"
import { rotate, startFamily } from "../../src/oauth/credential/family.rules.ts"
import { tokenResponse } from "../../src/oauth/credential/token-response.rules.ts"
import { account, consent, credential, firstFamily, lives, NOW, pair } from "../support/core-sample.ts"

test("time is counted in seconds, and a year has 365 days", () => {
  assert.deepEqual([MINUTE, HOUR, DAY, YEAR], [60, 3600, 86_400, 31_536_000])
})

test("LIM-1 an authorization code lives ten minutes", () => {
  assert.equal(limits.CODE_SECONDS, 600)
  assert.equal(asOf(credential(lives.issued), NOW + 600).life.state, "issued")
  assert.equal(asOf(credential(lives.issued), NOW + 601).life.state, "ended")
})

test("LIM-4 the window of a retired refresh token is sixty seconds", () => {
  assert.equal(limits.GRACE_SECONDS, 60)
  const rotation = {
    pair: pair(2),
    narrowedTo: null,
    answeredScope: [],
    accessSeconds: 60,
    from: null,
  }
  const family = rotate(consent, firstFamily, rotation, NOW)
  const retired = { generation: 1, hash: pair(1).refreshHash, isGenuine: () => true }
  assert.equal(classify(family, retired, NOW + 60), "previousWithinGrace")
  assert.equal(classify(family, retired, NOW + 61), "reusedAfterGrace")
})

test("LIM-5 refreshing stops ninety days after the last rotation", () => {
  assert.equal(limits.IDLE_SECONDS, 90 * 86_400)
  assert.equal(asOf(credential(lives.active), NOW + 90 * 86_400).life.state, "active")
  assert.equal(asOf(credential(lives.active), NOW + 90 * 86_400 + 1).life.state, "ended")
})

test("LIM-6 a credential ends a year after its consent", () => {
  assert.equal(limits.CREDENTIAL_SECONDS, 365 * 86_400)
  const late = { ...lives.active, family: { ...firstFamily, rotatedAt: NOW + 300 * 86_400 } }
  assert.equal(asOf(credential(late), NOW + 365 * 86_400).life.state, "active")
  assert.equal(asOf(credential(late), NOW + 365 * 86_400 + 1).life.state, "ended")
})

test("LIM-7, LIM-8 the response has the lifetimes of both tokens", () => {
  const family = startFamily(consent, pair(1), "key", 900, NOW, null)
  const response = tokenResponse(pair(1), consent, family, account, [], NOW)
  assert.equal(response.expires_in, 900)
  assert.equal(response.refresh_expires_in, 90 * 86_400)
})
