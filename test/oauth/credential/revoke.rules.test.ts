import { test } from "node:test"
import assert from "node:assert/strict"
import type { ClientId } from "../../../src/kernel/ids.ts"
import type { FullToken } from "../../../src/oauth/credential/presented-token.rules.ts"
import { decideRevocation, type Revocation } from "../../../src/oauth/credential/revoke.rules.ts"
import { areTokensEnded } from "../../../src/model/credential.rules.ts"
import { invalidationOf } from "../../../src/model/invalidation.rules.ts"
import { credential, hash, lives, NOW, pair, publicClient } from "../../support/core-sample.ts"

const access: FullToken = {
  kind: "access",
  token: { hash: pair(1).accessHash, isGenuine: () => false },
}
const forgedAccess = { hash: hash("altered"), isGenuine: () => false }
const refresh: FullToken = {
  kind: "refresh",
  token: { generation: 1, hash: pair(1).refreshHash, isGenuine: () => true },
}
const revocation: Revocation = {
  client: publicClient,
  credential: credential(lives.active),
  token: access,
  serviceToken: null,
  now: NOW + 5,
  address: "192.0.2.1",
}
const decide = (changes: Partial<Revocation> = {}) => decideRevocation({ ...revocation, ...changes })
const done = { answer: { ok: true, value: null }, changes: [] }

test("CRED-3, REV-1 either token in full revokes the credential", () => {
  for (const token of [access, refresh]) {
    const { answer, changes } = decide({ token })
    assert.deepEqual(answer, { ok: true, value: null })
    const [stored, recorded] = changes
    assert.ok(stored?.change === "credentialChanged" && stored.credential.life.state === "revoked")
    assert.equal(stored.credential.life.because, "app")
    assert.ok(recorded?.change === "eventRecorded" && recorded.event.kind === "credential-revoked")
  }
})

test("ORG-9 of an organization's credential the tokens end and it stays, and the same again changes nothing", () => {
  const { consent } = credential(lives.active)
  const given = { ...credential(lives.active), consent: { ...consent, organization: "work" } }
  const [stored, recorded, ...more] = decide({ credential: given }).changes
  assert.ok(stored?.change === "credentialChanged" && stored.credential.life.state === "active")
  assert.ok(recorded?.change === "eventRecorded" && recorded.event.detail === "app")
  assert.deepEqual([stored.credential.life.family.accessTokens, more], [[], []])
  assert.deepEqual(invalidationOf(stored), { of: "credential", key: consent.tokenId })
  const token: FullToken = { kind: "access", token: { hash: pair(1).accessHash, isGenuine: () => true } }
  for (const now of [NOW + 5, NOW + 60])
    assert.deepEqual(decide({ credential: stored.credential, token, now }), done)
  for (const [issuedAt, isEnded] of [
    [NOW + 5, true],
    [NOW + 6, false],
  ] as const)
    assert.equal(areTokensEnded(stored.credential, issuedAt), isEnded)
  assert.equal(areTokensEnded(given, NOW), false)
})

test("REV-3 what is over already, altered, or no token at all gets the same answer", () => {
  const altered: FullToken = { kind: "access", token: forgedAccess }
  const forged: FullToken = {
    kind: "refresh",
    token: { generation: 1, hash: hash("x"), isGenuine: () => false },
  }
  for (const token of [altered, forged, null]) assert.deepEqual(decide({ token }), done)
  assert.deepEqual(decide({ credential: null }), done)
  for (const life of [lives.revoked, lives.ended])
    assert.deepEqual(decide({ credential: credential(life) }), done)
})

test("REV-5 another app's token is refused, live or over, and nothing is revoked", () => {
  const client = { ...publicClient, clientId: "01kb3w5f6y8m2q4r7t9v1x3z5z" as ClientId }
  for (const life of [lives.active, lives.revoked, lives.ended]) {
    const { answer, changes } = decide({ client, credential: credential(life) })
    assert.equal(answer.ok ? "" : answer.error.reason, "tokenOfAnotherClient")
    assert.deepEqual(changes, [])
  }
})

test("REV-3, REV-5 an altered token tells another app nothing", () => {
  const client = { ...publicClient, clientId: "01kb3w5f6y8m2q4r7t9v1x3z5z" as ClientId }
  assert.deepEqual(decide({ client, token: { kind: "access", token: forgedAccess } }), done)
})
