/** Tests counters in the memory of one process. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { Budget } from "../../src/platform/services/budget.ts"
import { PollIntervals } from "../../src/platform/services/poll-intervals.ts"
import { windowsContract } from "./contract/windows.ts"

windowsContract("memory", (nowMs) => {
  const clock = { monotonic: nowMs }
  const node = {
    budget: new Budget(clock),
    guesses: new Budget(clock),
    pollIntervals: new PollIntervals(clock),
  }
  return Promise.resolve({ nodes: [node], destroy: () => Promise.resolve() })
})

test("RATE-1 memory answers with a value, not with a promise", () => {
  const clock = { monotonic: () => 0 }
  const limit = { requests: 1, seconds: 60 }
  assert.deepEqual(new Budget(clock).spend("a", limit), {
    admitted: true,
    window: { startedMs: 0, admitted: 1 },
  })
  assert.ok(!(new Budget(clock).spendAll([{ key: "a", limit }]) instanceof Promise))
  assert.equal(new PollIntervals(clock).poll("a" as never), null)
})
