import assert from "node:assert/strict"
import { describe, it } from "node:test"
import { guardAgainstClockJump, type TrustedTime } from "../../../src/admin/upkeep/clock-jump.rules.ts"
import { DAY, HOUR, isAlive } from "../../../src/kernel/time.ts"

const NOW = 1_800_000_000

/** Reads the clock at these times, one after the other. */
const after = (...read: readonly number[]) =>
  read.reduce<TrustedTime | null>((before, now) => guardAgainstClockJump(before, now), null)

describe("CRED-4: the clock that removes rows", () => {
  it("is trusted as it goes on, is set a little, is set back, or was stopped for some days", () => {
    for (const now of [NOW + 1, NOW + HOUR, NOW + 6 * DAY, NOW - DAY, NOW - 400 * DAY])
      assert.deepEqual(after(NOW, now), { at: now, doubtedSince: null })
  })

  it("is doubted where it jumps ahead by more than a week, and forgotten when it is set right", () => {
    const ahead = NOW + 100 * DAY
    assert.deepEqual(after(NOW, ahead), { at: NOW, doubtedSince: ahead })
    assert.deepEqual(after(NOW, ahead, ahead + HOUR), { at: NOW, doubtedSince: ahead })
    assert.deepEqual(after(NOW, ahead, ahead + HOUR, NOW + 2 * HOUR), {
      at: NOW + 2 * HOUR,
      doubtedSince: null,
    })
    assert.deepEqual(after(NOW, ahead, NOW + HOUR, ahead), { at: NOW + HOUR, doubtedSince: ahead })
  })

  it("is trusted once it has stayed there for a day", () => {
    const ahead = NOW + 100 * DAY
    assert.deepEqual(after(NOW, ahead, ahead + DAY - 1), { at: NOW, doubtedSince: ahead })
    assert.deepEqual(after(NOW, ahead, ahead + DAY), { at: ahead + DAY, doubtedSince: null })
  })

  it("is doubted again where it jumps again", () => {
    const [ahead, further] = [NOW + 100 * DAY, NOW + 200 * DAY]
    assert.deepEqual(after(NOW, ahead, further), { at: NOW, doubtedSince: further })
    assert.deepEqual(after(NOW, further, ahead), { at: NOW, doubtedSince: ahead })
  })
})

describe("LIM-1, LIM-7: what lives for at most a day", () => {
  it("is over at its end, and where it has longer to live than it was ever given", () => {
    assert.equal(isAlive(NOW + 1, NOW), true)
    assert.equal(isAlive(NOW, NOW), true, "through its last second")
    assert.equal(isAlive(NOW - 1, NOW), false)
    assert.equal(isAlive(NOW + DAY, NOW), true)
    assert.equal(isAlive(NOW + DAY + HOUR, NOW), true, "a clock that was put right by an hour ends nothing")
    assert.equal(isAlive(NOW + 2 * DAY + 5, NOW), true, "another node's clock may be ahead by so much")
    assert.equal(isAlive(NOW + 2 * DAY + 6, NOW), false)
    assert.equal(isAlive(NOW + 100 * DAY, NOW), false)
  })
})
