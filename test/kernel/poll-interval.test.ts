/** Tests how fast a device may poll, and when its record may be forgotten. */
import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { DEVICE_SECONDS, POLL_SECONDS } from "../../src/kernel/limits.ts"
import { EARLY_MS, isForgettable, enforcePollInterval, type Polled } from "../../src/kernel/poll-interval.ts"

test("DG-2, LIM-3: each early poll adds five seconds, and one in time adds none", () => {
  const intervals: (number | null)[] = []
  let polled: Polled | undefined
  for (const atMs of [0, EARLY_MS, 2 * EARLY_MS - 1, 2 * EARLY_MS, 3 * EARLY_MS, 3 * EARLY_MS + 1]) {
    const paced = enforcePollInterval(polled, atMs)
    intervals.push(paced.interval)
    polled = paced.polled
  }
  assert.deepEqual(intervals, [null, null, POLL_SECONDS * 2, POLL_SECONDS * 3, null, POLL_SECONDS * 4])
})

test("DG-2: forgetting what is forgettable changes no answer while the code lives", () => {
  const time = fc.integer({ min: 0, max: 2 * DEVICE_SECONDS * 1000 })
  fc.assert(
    fc.property(time, fc.integer({ min: 0, max: 3 }), time, time, (atMs, early, later, latest) => {
      const before = { atMs, early }
      const now = atMs + later
      if (!isForgettable(before, now)) return
      const next = now + latest
      if (early === 0)
        assert.deepEqual(enforcePollInterval(undefined, next), enforcePollInterval(before, next))
      else assert.ok(next - atMs >= DEVICE_SECONDS * 1000, "its code may still live")
    }),
  )
  assert.ok(isForgettable({ atMs: 0, early: 0 }, EARLY_MS))
  assert.ok(!isForgettable({ atMs: 0, early: 0 }, EARLY_MS - 1))
  assert.ok(!isForgettable({ atMs: 0, early: 1 }, DEVICE_SECONDS * 1000 - 1))
})
