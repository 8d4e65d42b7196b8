/** Tests when the store is asked for rotation keys, and which keys are forgotten while the store is unavailable. */
import { test } from "node:test"
import assert from "node:assert/strict"
import { halfMinuteOf, type RotationKeys as Keys } from "../../../src/model/rotation-key.rules.ts"
import { RotationKeys } from "../../../src/platform/services/rotation-keys.ts"
import type { Span } from "../../../src/store/list-shapes.ts"
import { StoreUnavailable } from "../../../src/store/unavailable.ts"
import { testClock } from "../../support/clock.ts"

/** Returns a store with only rotation keys, which can be unavailable. */
function memory() {
  const stored = new Map<number, string>()
  const state = { asked: 0, isAway: false }
  const keepRotationKeys = ({ first, last }: Span, proposed: Keys): Promise<Keys> => {
    state.asked++
    if (state.isAway) return Promise.reject(new StoreUnavailable("away"))
    for (const half of stored.keys()) if (half < first || half > last) stored.delete(half)
    for (const [half, key] of proposed) if (!stored.has(half)) stored.set(half, key)
    return Promise.resolve(new Map(stored))
  }
  return { state, stored, store: { keepRotationKeys } }
}

test("CRED-6 the store is asked once a half minute, and refreshes find their key without it", async () => {
  const { state, store } = memory()
  const clock = testClock()
  const keys = await RotationKeys.open({ store, clock })
  for (let second = 0; second < 300; second++) {
    clock.advance(1)
    await keys.tick()
    assert.ok(!(keys.at(clock.now()) instanceof Promise))
  }
  assert.equal(state.asked, 1 + 300 / 30)
})

test("CRED-6 while the store is away keys serve for a minute, and what is past is forgotten by the second", async () => {
  const { state, store } = memory()
  const clock = testClock()
  const keys = await RotationKeys.open({ store, clock })
  const half = halfMinuteOf(clock.now())
  state.isAway = true
  for (let second = 0; second < 60; second++) {
    assert.ok(!(keys.at(clock.now()) instanceof Promise))
    clock.advance(1)
    await keys.tick().catch(() => undefined)
  }
  clock.advance(45)
  await assert.rejects(keys.tick(), StoreUnavailable)
  state.isAway = false
  assert.ok(!(await keys.load()).has(half))
  assert.ok((await keys.at(clock.now())).has(halfMinuteOf(clock.now())))
})

test("CRED-6 a key is stored before it is used: without the store there is no key after a jump of the clock", async () => {
  const { state, stored, store } = memory()
  const clock = testClock()
  const keys = await RotationKeys.open({ store, clock })
  clock.advance(3600)
  state.isAway = true
  await assert.rejects(async () => keys.at(clock.now()), StoreUnavailable)
  state.isAway = false
  const half = halfMinuteOf(clock.now())
  assert.equal((await keys.at(clock.now())).get(half), stored.get(half))
})

test("CRED-6 a store that lost its keys gets back those that are in use", async () => {
  const { stored, store } = memory()
  const clock = testClock()
  const keys = await RotationKeys.open({ store, clock })
  const before = new Map(await keys.load())
  stored.clear()
  await keys.load()
  for (const [half, key] of before) assert.equal(stored.get(half), key)
})
