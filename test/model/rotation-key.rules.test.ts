import { test } from "node:test"
import assert from "node:assert/strict"
import { halfMinuteOf, keptHalfMinutes, keptKeys } from "../../src/model/rotation-key.rules.ts"
import { NOW } from "../support/core-sample.ts"

/** The seconds of five minutes. */
const seconds = Array.from({ length: 300 }, (_, i) => NOW + i)

test("CRED-6 a key is kept through every window of its half minute, on a node five seconds ahead too", () => {
  for (const retiredAt of seconds)
    for (const passed of [0, 1, 30, 60, 65]) {
      const { first } = keptHalfMinutes(retiredAt + passed)
      assert.ok(halfMinuteOf(retiredAt) >= first, `${retiredAt} after ${passed} s`)
    }
})

test("CRED-6 two minutes after a retirement its key is deleted, on a node five seconds behind too", () => {
  for (const retiredAt of seconds)
    for (const passed of [100, 115, 120, 3600])
      assert.ok(halfMinuteOf(retiredAt) < keptHalfMinutes(retiredAt + passed).first)
})

test("CRED-6 keys are made a minute ahead, and those that another node made ahead are kept", () => {
  for (const now of seconds) {
    const { last, farthest } = keptHalfMinutes(now)
    assert.ok(last >= halfMinuteOf(now + 60))
    for (const apart of [-5, 0, 5]) assert.ok(keptHalfMinutes(now + apart).last <= farthest)
  }
})

test("CRED-6 a clock that was set back voids the keys of the time that it left", () => {
  const keys = new Map([[halfMinuteOf(NOW), "k"]])
  assert.equal(keptKeys(keys, NOW).size, 1)
  assert.equal(keptKeys(keys, NOW - 3600).size, 0)
  assert.equal(keptKeys(keys, NOW + 3600).size, 0)
})
