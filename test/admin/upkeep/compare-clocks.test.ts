/** Tests what a node logs about its clock. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { compareClocks } from "../../../src/admin/upkeep/compare-clocks.ts"
import type { Services } from "../../../src/platform/services/services.ts"
import { testClock } from "../../support/clock.ts"

function opened() {
  const clock = testClock()
  const said: number[] = []
  const state = { ahead: 0, asked: 0 }
  const now = () => {
    state.asked++
    return Promise.resolve(clock.now() + 0.4 - state.ahead)
  }
  const log = { warn: ({ aheadSeconds }: { aheadSeconds: number }) => said.push(aheadSeconds) }
  const compare = compareClocks({ shared: { now }, clock, log } as unknown as Services)
  return { clock, said, state, compare }
}

test("CRED-2 a clock that differs from that of the database is logged, once a minute", async () => {
  const { clock, said, state, compare } = opened()
  for (const ahead of [0, 2, -2, 3, -3, 8_640_000]) {
    state.ahead = ahead
    await compare()
    await compare()
    clock.advance(60)
  }
  assert.deepEqual(said, [3, -3, 8_640_000])
  assert.equal(state.asked, 6)
})

test("CRED-2 where one process serves the database there is nothing to compare", async () => {
  await compareClocks({ shared: null, clock: testClock() } as unknown as Services)()
})
