import { test } from "node:test"
import assert from "node:assert/strict"
import { asOf, familyOf, findAccessToken, idleAt, refreshEndsAt } from "../../src/model/credential.rules.ts"
import { DAY, YEAR } from "../../src/kernel/time.ts"
import { consent, credential, firstFamily, hash, lives, NOW, pair } from "../support/core-sample.ts"

test("CODE-2 an issued code ends with its ten minutes, and no family was ever there", () => {
  const { life } = asOf(credential(lives.issued), NOW + 5000)
  assert.deepEqual(life, { state: "ended", family: null, endedAt: NOW + 600, because: "code-expired" })
})

test("CODE-2 a credential without a code does not end by it", () => {
  const fromDevice = { ...credential(lives.issued), code: null }
  assert.equal(asOf(fromDevice, NOW + YEAR), fromDevice)
})

test("CRED-4 ninety days without a rotation end a credential", () => {
  const { life } = asOf(credential(lives.active), NOW + 200 * DAY)
  assert.deepEqual(life, { state: "ended", family: firstFamily, endedAt: NOW + 90 * DAY, because: "idle" })
})

test("CRED-4 a year since the consent ends a credential, however lately it rotated", () => {
  const family = { ...firstFamily, rotatedAt: NOW + YEAR - 1 }
  const { life } = asOf(credential({ ...lives.active, family }), NOW + YEAR + 1)
  assert.deepEqual(life, { state: "ended", family, endedAt: NOW + YEAR, because: "lifetime" })
})

test("CRED-4 a stored end stays, whatever the clock says", () => {
  for (const life of [lives.revoked, lives.ended]) {
    for (const now of [0, NOW, NOW + 2 * YEAR]) assert.equal(asOf(credential(life), now).life, life)
  }
})

test("CRED-4 before its time nothing changes, and the very same value comes back", () => {
  for (const life of [lives.issued, lives.active]) {
    const before = credential(life)
    assert.equal(asOf(before, NOW + 599), before)
  }
})

test("TOK-5, AUTH-6 the refresh token ends at whichever limit comes first", () => {
  assert.equal(refreshEndsAt(consent, firstFamily), idleAt(firstFamily))
  assert.equal(refreshEndsAt(consent, { ...firstFamily, rotatedAt: NOW + 300 * DAY }), NOW + YEAR)
})

test("a family is there once a code was exchanged", () => {
  assert.equal(familyOf(credential(lives.issued)), null)
  for (const life of [lives.active, lives.revoked, lives.ended])
    assert.equal(familyOf(credential(life)), firstFamily)
})

test("REV-1 an access token is found by its digest, expired or not, also in what is over", () => {
  const accessHash = pair(1).accessHash
  for (const life of [lives.active, lives.revoked, lives.ended])
    assert.equal(findAccessToken(credential(life), accessHash)?.issuedAt, NOW)
  assert.equal(findAccessToken(credential(lives.active), hash("x")), null)
  assert.equal(findAccessToken(credential(lives.active), pair(1).refreshHash), null)
  assert.equal(findAccessToken(credential(lives.issued), accessHash), null)
})
