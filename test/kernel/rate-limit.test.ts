import { test } from "node:test"
import assert from "node:assert/strict"
import { admit, type Budget, parseBudget, type Window } from "../../src/kernel/rate-limit.ts"
import { PASSWORD_TRIES } from "../../src/kernel/account-limits.ts"

const budget: Budget = { requests: 3, seconds: 60 }

/** Sends a request at each time, in milliseconds. Returns true for admitted requests and the wait for refused ones. */
function asked(times: readonly number[], limit = budget): readonly (true | number)[] {
  let window: Window | undefined
  return times.map((at) => {
    const admission = admit(window, limit, at)
    if (!admission.admitted) return admission.retryAfterSeconds
    window = admission.window
    return true
  })
}

test("RATE-1, RATE-2 exactly the budget is admitted, and a refusal says how long to wait", () => {
  assert.deepEqual(asked([1000, 1000, 1000, 1000]), [true, true, true, 60])
  assert.deepEqual(asked([0, 10_000, 20_000, 30_000, 59_999]), [true, true, true, 30, 1])
})

test("RATE-2 the window begins with its first admitted request and is not prolonged by refused ones", () => {
  const refusedMeanwhile = [0, 0, 0, 20_000, 40_000, 59_000, 59_999]
  assert.deepEqual(asked([...refusedMeanwhile, 60_000, 60_000, 60_000, 60_000]), [
    true, true, true, 40, 20, 1, 1, true, true, true, 60,
  ]) // prettier-ignore
})

test("RATE-2 a retry after the announced wait is admitted", () => {
  for (const first of [0, 1, 123_456_789, 0.4]) {
    for (const later of [0, 1, 999, 1000.5, 59_999]) {
      const [, wait] = asked([first, first + later], { requests: 1, seconds: 60 })
      assert.equal(typeof wait, "number")
      const again = asked([first, first + later, first + later + Number(wait) * 1000], {
        requests: 1,
        seconds: 60,
      })
      assert.equal(again[2], true)
    }
  }
})

test("RATE-3 a smaller budget holds at once, a larger one too", () => {
  const window = { startedMs: 0, admitted: 3 }
  assert.equal(admit(window, { requests: 2, seconds: 60 }, 1).admitted, false)
  assert.equal(admit(window, { requests: 4, seconds: 60 }, 1).admitted, true)
})

test("RATE-3 a budget is written REQUESTS/SECONDS or off", () => {
  assert.deepEqual(parseBudget("600/60"), { ok: true, value: { requests: 600, seconds: 60 } })
  assert.deepEqual(parseBudget("1/1"), { ok: true, value: { requests: 1, seconds: 1 } })
  assert.deepEqual(parseBudget("1000000/86400"), {
    ok: true,
    value: { requests: 1_000_000, seconds: 86_400 },
  })
  assert.deepEqual(parseBudget("off"), { ok: true, value: null })
  const bad = [
    "",
    "on",
    "OFF",
    "600",
    "600/",
    "/60",
    "0/60",
    "600/0",
    "-1/60",
    "1e3/60",
    "600/60 ",
    "1.5/2",
    "0600/60",
  ]
  for (const text of [...bad, "1000001/60", "600/86401"]) assert.equal(parseBudget(text).ok, false, text)
})

test("ten wrong passwords for an account, thirty from an address, then a wait of at most ten minutes", () => {
  for (const [limit, tries] of [
    [PASSWORD_TRIES.account, 10],
    [PASSWORD_TRIES.address, 30],
  ] as const) {
    const answers = asked(
      Array.from({ length: tries + 1 }, () => 0),
      limit,
    )
    assert.deepEqual([...new Set(answers.slice(0, tries))], [true])
    assert.equal(answers[tries], 600)
  }
})
