import assert from "node:assert/strict"
import { test } from "node:test"
import {
  afterFetch,
  isFetchDue,
  type KeptKeys,
  usableCopy,
} from "../../../src/platform/statements/kept-keys.rules.ts"
import { NOW } from "../../support/core-sample.ts"

const DAY = 86_400
const jwksUri = "https://app.example/keys"
const good: KeptKeys = {
  jwksUri,
  triedAt: NOW,
  problem: null,
  copy: { jwks: "{}", fetchedAt: NOW },
}
const never: KeptKeys = { ...good, problem: "The host has no valid certificate.", copy: null }

test("KEY-8, STATE-3 the last good copy is used for a week, and never for another address", () => {
  assert.equal(usableCopy(good, jwksUri, NOW + 7 * DAY - 1), "{}")
  assert.equal(usableCopy(good, jwksUri, NOW + 7 * DAY), null)
  assert.equal(usableCopy(good, "https://app.example/other", NOW), null)
  for (const stored of [null, never]) assert.equal(usableCopy(stored, jwksUri, NOW), null)
})

test("KEY-8, STATE-3 keys are requested at first, for another address, after a quarter of an hour, and for an unknown kid", () => {
  const due = (stored: KeptKeys | null, lacksKey: boolean, after: number, uri = jwksUri) =>
    isFetchDue(stored, uri, lacksKey, NOW + after)
  assert.equal(due(null, true, 0), true)
  assert.equal(due(good, false, 0, "https://app.example/other"), true)
  assert.deepEqual([due(good, false, 899), due(good, false, 900)], [false, true])
  assert.deepEqual([due(good, true, 59), due(good, true, 60)], [false, true])
  assert.deepEqual([due(never, true, 59), due(never, true, 60)], [false, true])
})

test("KEY-8, STATE-3 a failure is not tried again within a minute, also with a stale copy", () => {
  const failed = { ...good, triedAt: NOW + 2000, problem: "The host did not answer in time." }
  for (const lacksKey of [false, true]) {
    assert.equal(isFetchDue(failed, jwksUri, lacksKey, NOW + 2059), false)
    assert.equal(isFetchDue(failed, jwksUri, lacksKey, NOW + 2060), true)
  }
})

test("KEY-8, STATE-3 after a step back of the clock the keys are requested again", () => {
  assert.equal(isFetchDue(good, jwksUri, true, NOW - 1), true)
  assert.equal(isFetchDue(good, jwksUri, false, NOW - 1000), true)
})

test("KEY-8, STATE-3 a failure keeps the last good copy, but not that of another address", () => {
  const at = { jwksUri, triedAt: NOW + 9 }
  const failed = { problem: "The answer is not JSON." }
  assert.deepEqual(afterFetch(good, at, failed), { ...at, ...failed, copy: good.copy })
  assert.deepEqual(afterFetch(null, at, failed), { ...at, ...failed, copy: null })
  const moved = { ...at, jwksUri: "https://app.example/other" }
  assert.deepEqual(afterFetch(good, moved, failed), { ...moved, ...failed, copy: null })
  const copy = { jwks: "new", fetchedAt: NOW + 9 }
  assert.deepEqual(afterFetch(never, at, { jwks: "new" }), { ...at, problem: null, copy })
})
