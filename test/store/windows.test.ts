/** Tests counters in the memory of one process. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { Budget, GuessCounters } from "../../src/platform/services/budget.ts"
import { PollIntervals } from "../../src/platform/services/poll-intervals.ts"
import { windowsContract } from "./contract/windows.ts"

windowsContract("memory", (nowMs) => {
  const clock = { monotonic: nowMs }
  const node = {
    budget: new Budget(clock),
    guesses: new GuessCounters(clock),
    pollIntervals: new PollIntervals(clock),
  }
  return Promise.resolve({ nodes: [node], destroy: () => Promise.resolve() })
})

test("RATE-2 a flood of requests for links forgets no count of wrong passwords, nor of another kind", () => {
  const guesses = new GuessCounters({ monotonic: () => 0 })
  const once = { requests: 1, seconds: 60 }
  const kinds = ["sign-in account", "sign-in address", "factor code", "recover event"]
  for (const kind of kinds) assert.ok(guesses.spend(`${kind}:alice`, once).admitted)
  for (let n = 0; n < 200_000; n++) guesses.spend(`recover name:${n}`, once)
  for (const kind of kinds) assert.ok(!guesses.spend(`${kind}:alice`, once).admitted, kind)
  assert.ok(guesses.spend("recover name:0", once).admitted, "the oldest of its own kind go")
})

test("RATE-1 memory answers with a value, not with a promise", () => {
  const clock = { monotonic: () => 0 }
  const limit = { requests: 1, seconds: 60 }
  assert.deepEqual(new Budget(clock).spend("a", limit), {
    admitted: true,
    window: { startedMs: 0, admitted: 1 },
  })
  assert.ok(!(new GuessCounters(clock).spendAll([{ key: "a", limit }]) instanceof Promise))
  assert.equal(new PollIntervals(clock).poll("a" as never), null)
})
