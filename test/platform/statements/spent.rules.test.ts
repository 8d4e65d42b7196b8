import assert from "node:assert/strict"
import { test } from "node:test"
import { ok } from "../../../src/kernel/result.ts"
import { DAY } from "../../../src/kernel/time.ts"
import { decided } from "../../../src/model/change.rules.ts"
import { type OnRepeat, spendStatement } from "../../../src/platform/statements/spent.rules.ts"
import { hash, NOW } from "../../support/core-sample.ts"

const spent = { assertionHash: hash("statement"), bodyHash: hash("body"), deleteAfter: NOW + 60 }
const spending = { spent, provenAt: NOW }
const unused = { spentAssertion: null, meta: null }
const used = { spentAssertion: spent, meta: null }
const change = { change: "settingUnset", key: "k" } as const
const decision = decided(ok("answer"), change)
const refuse = (fault: "replayed" | "expired") => `refused: ${fault}`
const refused = (fault: string) => ({ answer: { ok: false, error: `refused: ${fault}` }, changes: [] })

test("STATE-5 the first use is stored with what it causes, and a second one causes nothing", () => {
  assert.deepEqual(spendStatement(spending, unused, decision, refuse), {
    answer: ok("answer"),
    changes: [change, { change: "assertionSpent", spent }],
  })
  assert.deepEqual(spendStatement(spending, used, decision, refuse), refused("replayed"))
})

test("STATE-5 a repeat passes only with the same body, and only if the caller lets it", () => {
  const again: OnRepeat<string, string> = (one) => one
  const other = { ...used, spentAssertion: { ...spent, bodyHash: hash("other") } }
  assert.deepEqual(spendStatement(spending, used, decision, refuse, again), decision)
  assert.deepEqual(spendStatement(spending, other, decision, refuse, again), refused("replayed"))
  assert.deepEqual(
    spendStatement(spending, used, decision, refuse, () => null),
    refused("replayed"),
  )
})

test("STATE-5 a use that may be forgotten is refused, unless the clock is more than a week behind", () => {
  const swept = (at: number | string) => ({ spentAssertion: null, meta: { value: String(at) } })
  for (const at of [NOW + 60, NOW + 7 * DAY])
    assert.deepEqual(spendStatement(spending, swept(at), decision, refuse), refused("expired"))
  for (const at of [NOW + 59, NOW + 7 * DAY + 1, "x"])
    assert.equal(spendStatement(spending, swept(at), decision, refuse).answer.ok, true)
})
