import { describe, it } from "node:test"
import assert from "node:assert/strict"
import type { FactorId, TokenId } from "../../../src/kernel/ids.ts"
import {
  decideCode,
  decidePasskey,
  isForward,
  type ProofTry,
} from "../../../src/accounts/factors/factor-proof.rules.ts"
import type { Factor, Passkey, Recovery, Totp } from "../../../src/model/factor.rules.ts"
import { hash, NOW, USER_ID } from "../../support/core-sample.ts"

const enrolled = { userId: USER_ID, name: "Phone", addedAt: NOW, usedAt: null }
const totp: Totp = {
  ...enrolled,
  factorId: "t" as FactorId,
  kind: "totp",
  sealedSecret: "sealed",
  usedStep: 100,
}
const recovery: Recovery = {
  ...enrolled,
  factorId: "r" as FactorId,
  kind: "recovery",
  codes: [hash(1), hash(2), hash(3)],
}
const passkey: Passkey = {
  ...enrolled,
  factorId: "p" as FactorId,
  kind: "passkey",
  credentialId: "credential",
  publicKey: "key",
  counter: 5,
  transports: [],
  isBackedUp: false,
}

const attempt = (factors: readonly Factor[], purpose: ProofTry["purpose"] = "sign-in"): ProofTry => ({
  userId: USER_ID,
  factors,
  purpose,
  now: NOW,
  address: "192.0.2.1",
})
const rightAt = (...steps: number[]) => ({ steps: new Map([[totp.factorId, steps]]), recoveryHash: null })
const typedRecovery = (code: ReturnType<typeof hash>) => ({ steps: new Map(), recoveryHash: code })
const refused = (decision: ReturnType<typeof decideCode>) => {
  assert.equal(decision.answer, null)
  assert.deepEqual(
    decision.changes.map((one) => one.change === "eventRecorded" && one.event.kind),
    ["factor-refused"],
  )
}

describe("FACTOR-4: a one-time password", () => {
  it("moves its step on in the change that accepts it", () => {
    assert.deepEqual(decideCode(attempt([totp]), rightAt(101)), {
      answer: "totp",
      changes: [{ change: "factorChanged", factor: { ...totp, usedStep: 101, usedAt: NOW } }],
    })
    refused(decideCode(attempt([totp]), rightAt(100)))
    refused(decideCode(attempt([totp]), rightAt()))
  })
})

describe("FACTOR-6: a recovery code", () => {
  it("is gone once it was used, and says how many are left", () => {
    const { answer, changes } = decideCode(attempt([totp, recovery]), typedRecovery(hash(2)))
    assert.equal(answer, "recovery")
    assert.deepEqual(changes[0], {
      change: "factorChanged",
      factor: { ...recovery, codes: [hash(1), hash(3)], usedAt: NOW },
    })
    assert.ok(changes[1]?.change === "eventRecorded")
    assert.equal(changes[1].event.kind, "recovery-code-used")
    assert.equal(changes[1].event.detail, "2 left")
  })

  it("counts for nothing where it is unknown, for a step-up, and without a second factor", () => {
    refused(decideCode(attempt([totp, recovery]), typedRecovery(hash(9))))
    refused(decideCode(attempt([totp, recovery], "step-up"), typedRecovery(hash(2))))
    refused(decideCode(attempt([recovery]), typedRecovery(hash(2))))
  })
})

describe("FACTOR-5: a passkey", () => {
  const ticketId = "ticket" as TokenId
  const asserted = { factorId: passkey.factorId, ticketId, counter: 6, isBackedUp: true }

  it("keeps its count, and spends its challenge", () => {
    assert.deepEqual(decidePasskey(attempt([passkey]), asserted, false), {
      answer: "passkey",
      changes: [
        { change: "factorChanged", factor: { ...passkey, counter: 6, isBackedUp: true, usedAt: NOW } },
        { change: "ticketSpent", ticketId, at: NOW },
      ],
    })
  })

  it("is refused with a spent challenge, with a count that did not grow, and once it was removed", () => {
    refused(decidePasskey(attempt([passkey]), asserted, true))
    refused(decidePasskey(attempt([passkey]), { ...asserted, counter: 5 }, false))
    refused(decidePasskey(attempt([totp]), asserted, false))
  })

  it("may say zero for ever, but not go back to it", () => {
    assert.equal(isForward(0, 0), true)
    assert.equal(isForward(0, 1), true)
    assert.equal(isForward(7, 7), false)
    assert.equal(isForward(7, 0), false)
  })
})
