import { test } from "node:test"
import assert from "node:assert/strict"
import type { Family, RepeatElsewhere } from "../../../../src/model/credential.rules.ts"
import { REPEATS_ELSEWHERE_KEPT } from "../../../../src/kernel/limits.ts"
import { event } from "../../../../src/model/event.rules.ts"
import { repeated } from "../../../../src/oauth/token/grants/repeat.rules.ts"
import {
  CLIENT_ID,
  credential,
  firstFamily,
  lives,
  NOW,
  TOKEN_ID,
  USER_ID,
} from "../../../support/core-sample.ts"

const HOME = "192.0.2.1"
/** A /24 stands for a network here. */
const networkOf = (address: string) => address.replace(/\.\d+$/, "")

function repeat(address: string, facts: Partial<Family> = {}) {
  const family = { ...firstFamily, ...facts }
  const changes = repeated(credential({ ...lives.active, family }), { now: NOW + 9, address, networkOf })
  const [stored, recorded, ...more] = changes
  assert.deepEqual(more, [])
  assert.ok(stored?.change === "credentialChanged" && stored.credential.life.state === "active")
  const { repeats, ...rest } = stored.credential.life.family
  const { repeats: _, ...before } = family
  assert.deepEqual(rest, before, "nothing but the repeats changes")
  return { repeats, recorded }
}

const elsewhere = (from: string, generation = 1): RepeatElsewhere => ({
  generation,
  at: NOW,
  from,
  firstFrom: HOME,
})

test("CRED-5 a repeat from the network of the rotation is only counted", () => {
  for (const address of [HOME, "192.0.2.200"]) {
    const { repeats, recorded } = repeat(address, { repeats: { count: 4, elsewhere: [] } })
    assert.deepEqual(repeats, { count: 5, elsewhere: [] })
    assert.equal(recorded, undefined)
  }
})

test("CRED-5 a repeat from another network is recorded, with the address of the rotation", () => {
  const { repeats, recorded } = repeat("203.0.113.7")
  assert.deepEqual(repeats, {
    count: 1,
    elsewhere: [{ generation: 1, at: NOW + 9, from: "203.0.113.7", firstFrom: HOME }],
  })
  assert.deepEqual(recorded, {
    change: "eventRecorded",
    event: event("refresh-repeated-elsewhere", NOW + 9, {
      userId: USER_ID,
      clientId: CLIENT_ID,
      tokenId: TOKEN_ID,
      address: "203.0.113.7",
      detail: `first from ${HOME}`,
    }),
  })
})

test("CRED-5 each network is recorded once for each retirement, newest first", () => {
  const known = { count: 1, elsewhere: [elsewhere("203.0.113.7")] }
  const again = repeat("203.0.113.8", { repeats: known })
  assert.deepEqual([again.repeats, again.recorded], [{ ...known, count: 2 }, undefined])
  const other = repeat("198.51.100.1", { repeats: known })
  assert.deepEqual(
    other.repeats.elsewhere.map(({ from }) => from),
    ["198.51.100.1", "203.0.113.7"],
  )
  const next = repeat("203.0.113.8", { repeats: known, generation: 2 })
  assert.deepEqual(
    next.repeats.elsewhere.map(({ generation, from }) => [generation, from]),
    [
      [2, "203.0.113.8"],
      [1, "203.0.113.7"],
    ],
  )
})

test("CRED-5 at most eight are recorded for a retirement, and at most eight are kept", () => {
  assert.equal(REPEATS_ELSEWHERE_KEPT, 8)
  const many = (count: number, generation: number) =>
    Array.from({ length: count }, (_, number) => elsewhere(`198.51.${number}.1`, generation))
  const full = repeat("203.0.113.7", { repeats: { count: 8, elsewhere: many(8, 1) } })
  assert.deepEqual([full.repeats.count, full.repeats.elsewhere.length, full.recorded], [9, 8, undefined])
  assert.notEqual(repeat("203.0.113.7", { repeats: { count: 7, elsewhere: many(7, 1) } }).recorded, undefined)
  const ofBefore = repeat("203.0.113.7", { generation: 2, repeats: { count: 8, elsewhere: many(8, 1) } })
  assert.notEqual(ofBefore.recorded, undefined)
  assert.equal(ofBefore.repeats.elsewhere.length, 8)
  assert.equal(ofBefore.repeats.elsewhere[0]?.from, "203.0.113.7")
})

test("CRED-5 where an address is unknown, a repeat is only counted", () => {
  for (const [address, rotatedFrom] of [
    ["", HOME],
    ["203.0.113.7", null],
    ["203.0.113.7", ""],
  ] as const) {
    const { repeats, recorded } = repeat(address, { rotatedFrom })
    assert.deepEqual([repeats, recorded], [{ count: 1, elsewhere: [] }, undefined])
  }
})

test("CRED-5 a credential that is not active counts nothing", () => {
  for (const life of [lives.issued, lives.revoked, lives.ended])
    assert.deepEqual(repeated(credential(life), { now: NOW, address: "203.0.113.7", networkOf }), [])
})
