import { test } from "node:test"
import assert from "node:assert/strict"
import { PictureSlot } from "../../../src/platform/services/picture-slot.ts"
import { testClock } from "../../support/clock.ts"

test("RATE-5 one picture of a stranger is drawn at a time, and the slot rests nine times as long", async () => {
  const clock = testClock()
  const slot = new PictureSlot(clock)
  const { promise, resolve } = Promise.withResolvers<string>()
  const first = slot.use(() => promise)
  assert.equal(await slot.use(() => Promise.resolve("beside")), null)
  clock.advance(2)
  resolve("drawn")
  assert.equal(await first, "drawn")
  clock.advance(17)
  assert.equal(await slot.use(() => Promise.resolve("too early")), null)
  clock.advance(1)
  await assert.rejects(slot.use(() => Promise.reject(new Error("broken"))))
  assert.equal(
    await slot.use(() => Promise.resolve("at once, after no time at all")),
    "at once, after no time at all",
  )
})
