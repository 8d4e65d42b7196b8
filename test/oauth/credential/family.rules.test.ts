import { test } from "node:test"
import assert from "node:assert/strict"
import type { Family } from "../../../src/model/credential.rules.ts"
import { type Rotation, rotate, startFamily } from "../../../src/oauth/credential/family.rules.ts"
import { DAY, YEAR } from "../../../src/kernel/time.ts"
import { consent, firstFamily, NOW, pair, permissions } from "../../support/core-sample.ts"

function rotation(generation: number, changes: Partial<Rotation> = {}): Rotation {
  return {
    pair: pair(generation),
    narrowedTo: null,
    answeredScope: [],
    accessSeconds: 3600,
    from: `192.0.2.${generation}`,
    ...changes,
  }
}

/** Returns the family in this generation. Each rotation happened a second after the previous one. */
function inGeneration(last: number): Family {
  let family = firstFamily
  for (let next = 2; next <= last; next++) family = rotate(consent, family, rotation(next), NOW + next - 1)
  return family
}

test("CODE-1 an exchange starts generation 1", () => {
  assert.deepEqual(firstFamily, {
    generation: 1,
    currentHash: pair(1).refreshHash,
    retired: null,
    retirements: [],
    key: "family key",
    rotatedAt: NOW,
    rotatedFrom: "192.0.2.1",
    accessTokens: [{ hash: pair(1).accessHash, issuedAt: NOW, expiresAt: NOW + 3600, narrowedTo: null }],
    repeats: { count: 0, elsewhere: [] },
  })
})

test("CRED-1, AUTH-7 a rotation issues a pair, retires the one before, and keeps what can repeat the answer", () => {
  const answeredScope = permissions("workers:read")
  const narrowedTo = answeredScope
  const family = rotate(consent, firstFamily, rotation(2, { answeredScope, narrowedTo }), NOW + 50)
  assert.deepEqual(family, {
    generation: 2,
    currentHash: pair(2).refreshHash,
    retired: { hash: pair(1).refreshHash, answeredScope },
    retirements: [{ generation: 1, at: NOW + 50 }],
    key: "family key",
    rotatedAt: NOW + 50,
    rotatedFrom: "192.0.2.2",
    accessTokens: [
      { hash: pair(2).accessHash, issuedAt: NOW + 50, expiresAt: NOW + 3650, narrowedTo },
      ...firstFamily.accessTokens,
    ],
    repeats: { count: 0, elsewhere: [] },
  })
})

test("LIM-9 the latest 32 live access tokens are kept; one more ends the oldest", () => {
  const hashes = (family: Family) => family.accessTokens.map((token) => token.hash)
  const down = (from: number, to: number) =>
    Array.from({ length: from - to + 1 }, (_, i) => pair(from - i).accessHash)
  assert.deepEqual(hashes(inGeneration(32)), down(32, 1))
  assert.deepEqual(hashes(inGeneration(33)), down(33, 2))
})

test("LIM-9 only live access tokens take a place: a rotation drops those that have expired", () => {
  const busy = inGeneration(32)
  const later = rotate(consent, busy, rotation(33), NOW + 3600 + 32)
  assert.deepEqual(
    later.accessTokens.map((token) => token.hash),
    [pair(33).accessHash],
  )
})

test("CRED-1 a family stays the same size, whatever the number of rotations", () => {
  const size = (family: Family) => JSON.stringify(family).length
  assert.ok(size(inGeneration(5000)) <= size(inGeneration(70)) + 200)
  assert.equal(inGeneration(5000).retirements.length, 62)
})

test("CRED-2 an app that refreshes now and then keeps one retirement, and one of its last window", () => {
  const hourly = [1, 2, 3, 4].reduce(
    (family, hour) => rotate(consent, family, rotation(hour + 1), NOW + hour * 3600),
    firstFamily,
  )
  assert.deepEqual(hourly.retirements, [
    { generation: 4, at: NOW + 4 * 3600 },
    { generation: 3, at: 0 },
  ])
})

test("CRED-2 rotations of one second share one entry", () => {
  const burst = [1, 2, 3].reduce(
    (family, n) => rotate(consent, family, rotation(n + 1), NOW + 7),
    firstFamily,
  )
  assert.deepEqual(burst.retirements, [{ generation: 3, at: NOW + 7 }])
})

test("LIM-7, AUTH-6 an access token never outlives its credential", () => {
  const lastDay = startFamily(consent, pair(1), "k", DAY, NOW + YEAR - 100, null)
  assert.equal(lastDay.accessTokens[0]?.expiresAt, NOW + YEAR)
  const idle = startFamily(consent, pair(1), "k", 200 * DAY, NOW, null)
  assert.equal(idle.accessTokens[0]?.expiresAt, NOW + 90 * DAY)
})

test("AUTH-8 narrowing belongs to one access token; the next is as wide as it is asked", () => {
  const narrowed = rotate(
    consent,
    firstFamily,
    rotation(2, { narrowedTo: permissions("workers:read") }),
    NOW + 1,
  )
  const next = rotate(consent, narrowed, rotation(3), NOW + 2)
  assert.deepEqual(
    next.accessTokens.map((token) => token.narrowedTo),
    [null, permissions("workers:read"), null],
  )
})
