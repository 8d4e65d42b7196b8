import { test } from "node:test"
import assert from "node:assert/strict"
import type { ClientId } from "../../src/core/brand.ts"
import type { Change, Decided } from "../../src/core/change.ts"
import type { Credential } from "../../src/core/credential.ts"
import { decideRefresh, type Refresh } from "../../src/core/refresh.ts"
import type { Result } from "../../src/core/result.ts"
import type { TokenResponse } from "../../src/core/token-response.ts"
import { DAY, YEAR } from "../../src/core/time.ts"
import {
  account,
  credential,
  hash,
  lives,
  NOW,
  pair,
  permissions,
  publicClient,
  sampleCatalogue,
} from "./sample.ts"

const token = (generation: number) => ({
  generation,
  hash: pair(generation).refreshHash,
  isGenuine: (key: string) => key === "family key",
})

/** A refresh with the token of this generation. The successor's number stands in the nonce that it is derived from. */
function refresh(held: Credential, generation: number, now: number, changes: Partial<Refresh> = {}) {
  const asked = {
    client: publicClient,
    credential: held,
    account,
    token: token(generation),
    asked: null,
    ...changes,
  }
  return decideRefresh(sampleCatalogue, asked, {
    now,
    address: "192.0.2.1",
    accessSeconds: 3600,
    nonce: `${generation + 1}`,
    successor: (nonce) => pair(Number(nonce)),
  })
}

function storedBy({ changes }: { readonly changes: readonly Change[] }): Credential {
  const [stored] = changes
  return stored?.change === "credentialChanged" ? stored.credential : assert.fail("nothing was stored")
}

function refusal({ answer, changes }: Decided<Result<TokenResponse>>): readonly string[] {
  assert.equal(answer.ok, false)
  return [answer.ok ? "" : answer.refusal.reason, ...changes.map((change) => change.change)]
}

const first = credential(lives.active)
const second = storedBy(refresh(first, 1, NOW + 100))

test("CRED-1, AUTH-7 the token in force gives the next pair, and is retired", () => {
  const { answer, changes } = refresh(first, 1, NOW + 100)
  assert.ok(answer.ok)
  assert.equal(answer.value.refresh_token, pair(2).refreshToken)
  assert.equal(answer.value.expires_in, 3600)
  assert.equal(answer.value.refresh_expires_in, 90 * DAY)
  assert.equal(answer.value.scope, "files:read workers:read")
  assert.equal(changes.length, 1)
  assert.ok(second.life.state === "active")
  assert.equal(second.life.family.retired?.hash, pair(1).refreshHash)
  assert.equal(second.consent, first.consent)
})

test("AUTH-7 within sixty seconds the retired token gives the very same pair, with what remains of its time", () => {
  const again = refresh(second, 1, NOW + 160)
  assert.ok(again.answer.ok)
  assert.equal(again.answer.value.refresh_token, pair(2).refreshToken)
  assert.equal(again.answer.value.access_token, pair(2).accessToken)
  assert.equal(again.answer.value.expires_in, 3540)
  assert.deepEqual(again.changes, [])
})

test("AUTH-7 the repeated answer has the scope of the first one", () => {
  const narrowed = storedBy(refresh(first, 1, NOW + 100, { asked: ["workers:read"] }))
  const again = refresh(narrowed, 1, NOW + 101)
  assert.equal(again.answer.ok && again.answer.value.scope, "workers:read")
})

test("AUTH-7 once the successor was used, the retired token is refused and nothing is revoked", () => {
  const third = storedBy(refresh(second, 2, NOW + 110))
  assert.deepEqual(refusal(refresh(third, 1, NOW + 120)), ["refreshTokenRetired"])
})

test("CRED-2, AUTH-7 later than sixty seconds a retired token revokes the credential", () => {
  const reuse = refresh(second, 1, NOW + 161)
  assert.deepEqual(refusal(reuse), ["refreshTokenReused", "credentialChanged", "eventRecorded"])
  const revoked = storedBy(reuse)
  assert.equal(revoked.life.state, "revoked")
  assert.deepEqual(refusal(refresh(revoked, 2, NOW + 162)), ["credentialRevoked"])
})

test("CRED-2 what was never issued, or is no token, changes nothing", () => {
  const forged = { ...token(2), hash: hash("forged"), isGenuine: () => false }
  assert.deepEqual(refusal(refresh(second, 2, NOW + 200, { token: forged })), ["refreshTokenUnknown"])
  assert.deepEqual(refusal(refresh(second, 2, NOW + 2 * YEAR, { token: forged })), ["refreshTokenUnknown"])
  assert.deepEqual(refusal(refresh(second, 2, NOW + 200, { token: null })), ["refreshTokenUnknown"])
  assert.deepEqual(refusal(refresh(second, 2, NOW + 200, { credential: null })), ["refreshTokenUnknown"])
  assert.deepEqual(refusal(refresh(credential(lives.issued), 1, NOW + 5)), ["refreshTokenUnknown"])
})

test("CRED-2 another app's reuse is refused and revokes nothing", () => {
  const client = { ...publicClient, clientId: "01kb3w5f6y8m2q4r7t9v1x3z5z" as ClientId }
  assert.deepEqual(refusal(refresh(second, 1, NOW + 1000, { client })), ["refreshTokenOfAnotherClient"])
})

test("CRED-4 after ninety days without a rotation, or a year, the credential has ended, and the end is stored", () => {
  assert.deepEqual(refusal(refresh(first, 1, NOW + 90 * DAY)), ["credentialEnded", "credentialChanged"])
  assert.deepEqual(refusal(refresh(first, 1, NOW + YEAR)), ["credentialEnded", "credentialChanged"])
  const ended = storedBy(refresh(first, 1, NOW + 90 * DAY))
  assert.deepEqual(refusal(refresh(ended, 1, NOW)), ["credentialEnded"])
})

test("ERR-2 while the account is disabled or gone nothing rotates", () => {
  for (const changes of [{ account: null }, { account: { ...account, enabled: false } }]) {
    assert.deepEqual(refusal(refresh(first, 1, NOW + 100, changes)), ["accountUnavailable"])
    assert.deepEqual(refusal(refresh(second, 1, NOW + 110, changes)), ["accountUnavailable"])
  }
})

test("AUTH-8, ERR-3 a scope beyond the reach is refused, and an error never rotates", () => {
  assert.deepEqual(refusal(refresh(first, 1, NOW + 100, { asked: ["account:read"] })), ["scopeOverReach"])
  assert.deepEqual(refusal(refresh(first, 1, NOW + 100, { asked: ["nowhere"] })), ["scopeUnknown"])
})

test("PERM-6, PERM-7 a permission that left the registration leaves the scope at the next refresh, and returns", () => {
  const less = { ...publicClient, ceiling: permissions("workers:read") }
  const shrunk = refresh(first, 1, NOW + 100, { client: less })
  assert.equal(shrunk.answer.ok && shrunk.answer.value.scope, "workers:read")
  assert.deepEqual(refusal(refresh(first, 1, NOW + 100, { client: less, asked: ["files:read"] })), [
    "scopeOverReach",
  ])
  const back = refresh(storedBy(shrunk), 2, NOW + 200)
  assert.equal(back.answer.ok && back.answer.value.scope, "files:read workers:read")
})

test("AUTH-8 narrowing ends with its access token: the next refresh is as wide as the reach", () => {
  const narrowed = refresh(first, 1, NOW + 100, { asked: ["workers:read"] })
  assert.equal(narrowed.answer.ok && narrowed.answer.value.scope, "workers:read")
  const next = refresh(storedBy(narrowed), 2, NOW + 200)
  assert.equal(next.answer.ok && next.answer.value.scope, "files:read workers:read")
})
