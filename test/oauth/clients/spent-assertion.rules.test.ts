import assert from "node:assert/strict"
import { test } from "node:test"
import type { AssertionProof, Caller } from "../../../src/oauth/clients/client-authentication.rules.ts"
import { type OnRepeat, spendAssertion } from "../../../src/oauth/clients/spent-assertion.rules.ts"
import { decided } from "../../../src/model/change.rules.ts"
import { ok } from "../../../src/kernel/result.ts"
import { DAY } from "../../../src/kernel/time.ts"
import { CLIENT_ID, hash, NOW } from "../../support/core-sample.ts"

const spent = { assertionHash: hash("assertion"), bodyHash: hash("body"), deleteAfter: NOW + 60 }
const proof: AssertionProof = {
  keys: { jwks: "{}", jwksUri: null, algorithm: null, workload: null },
  spending: { spent, provenAt: NOW },
}
const unused = { spentAssertion: null, meta: null }
const used = { spentAssertion: spent, meta: null }
const presented = { clientId: CLIENT_ID, secret: null, assertion: null, method: "none" } as const
const caller = (one: AssertionProof | null): Caller => ({ presented, secretHash: null, proof: one })

const change = { change: "settingUnset", key: "k" } as const
const decision = decided(ok("answer"), change)
const replayed = { answer: { ok: false, error: { reason: "assertionReplayed" } }, changes: [] }
const again: OnRepeat<string> = (one) => one

test("WORK-3 the token of a platform is not used up", () => {
  const platform = { ...proof, spending: null }
  assert.deepEqual(spendAssertion(caller(platform), used, decision), decision)
})

test("KEY-5 the first use is stored with what the request decided", () => {
  assert.deepEqual(spendAssertion(caller(proof), unused, decision), {
    answer: ok("answer"),
    changes: [change, { change: "assertionSpent", spent }],
  })
})

test("KEY-5 a second use decides nothing, with the same body or another", () => {
  assert.deepEqual(spendAssertion(caller(proof), used, decision), replayed)
  const other = { ...used, spentAssertion: { ...spent, bodyHash: hash("other") } }
  assert.deepEqual(spendAssertion(caller(proof), other, decision, again), replayed)
})

test("KEY-6 the same body passes where the rule of its request lets it, and is not stored again", () => {
  assert.deepEqual(spendAssertion(caller(proof), used, decision, again), decision)
  assert.deepEqual(
    spendAssertion(caller(proof), used, decision, () => null),
    replayed,
  )
})

test("KEY-5 a caller without an assertion is left as it is", () => {
  assert.equal(spendAssertion(caller(null), unused, decision), decision)
})

test("KEY-5 an assertion that may have been used and deleted is refused, unless the clock is more than a week behind", () => {
  const swept = (at: number) => ({ spentAssertion: null, meta: { value: String(at) } })
  const refused = { answer: { ok: false, error: { reason: "assertionExpired" } }, changes: [] }
  assert.deepEqual(spendAssertion(caller(proof), swept(NOW + 60), decision, again), refused)
  assert.deepEqual(spendAssertion(caller(proof), swept(NOW + 7 * DAY), decision), refused)
  for (const at of [NOW + 59, NOW + 7 * DAY + 1])
    assert.equal(spendAssertion(caller(proof), swept(at), decision).answer.ok, true)
})
