import { describe, it } from "node:test"
import assert from "node:assert/strict"
import type { Proof } from "../../src/model/account.rules.ts"
import type { FactorId } from "../../src/kernel/ids.ts"
import {
  acceptedProofs,
  type Factor,
  isFreshProof,
  methodsOf,
  needsSecondFactor,
  parseFactorName,
  type Passkey,
  type Purpose,
  type Recovery,
  type Totp,
} from "../../src/model/factor.rules.ts"
import { FRESH_PROOF_SECONDS } from "../../src/kernel/account-limits.ts"
import { hash, NOW, USER_ID } from "../support/core-sample.ts"

const enrolled = { userId: USER_ID, name: "Phone", addedAt: NOW, usedAt: null }
const factorId = (name: string) => name.padStart(26, "0") as FactorId

const totp: Totp = { ...enrolled, factorId: factorId("t"), kind: "totp", sealedSecret: "sealed", usedStep: 0 }
const passkey: Passkey = {
  ...enrolled,
  factorId: factorId("p"),
  kind: "passkey",
  credentialId: "credential",
  publicKey: "key",
  counter: 0,
  transports: [],
  isBackedUp: false,
}
const recovery: Recovery = {
  ...enrolled,
  factorId: factorId("r"),
  kind: "recovery",
  codes: [hash(1), hash(2)],
}

describe("FACTOR-3: what an account may prove itself with", () => {
  const purposes: readonly Purpose[] = ["sign-in", "fresh-proof", "step-up"]
  const proofs = (factors: readonly Factor[], purpose: Purpose) =>
    [...acceptedProofs(factors, purpose)].toSorted()

  it("the password, where no second factor is enrolled", () => {
    for (const purpose of purposes) assert.deepEqual(proofs([], purpose), ["password"])
    for (const purpose of purposes) assert.deepEqual(proofs([recovery], purpose), ["password"])
  })

  it("only what is enrolled, once there is a second factor", () => {
    for (const purpose of purposes) {
      assert.deepEqual(proofs([totp], purpose), ["totp"])
      assert.deepEqual(proofs([passkey, totp], purpose), ["passkey", "totp"])
    }
  })

  it("STEP-2: a recovery code stands in for it, but not for a step-up, and not once all are used", () => {
    assert.deepEqual(proofs([totp, recovery], "sign-in"), ["recovery", "totp"])
    assert.deepEqual(proofs([totp, recovery], "fresh-proof"), ["recovery", "totp"])
    assert.deepEqual(proofs([totp, recovery], "step-up"), ["totp"])
    assert.deepEqual(proofs([totp, { ...recovery, codes: [] }], "sign-in"), ["totp"])
  })

  it("recovery codes alone are no second factor", () => {
    assert.equal(needsSecondFactor([recovery]), false)
    assert.equal(needsSecondFactor([recovery, passkey]), true)
  })
})

describe("FACTOR-8: a fresh proof", () => {
  const proof = (by: Proof["by"], at = NOW): Proof => ({ by, at })

  it("holds for five minutes, and not before it was given", () => {
    const last = FRESH_PROOF_SECONDS
    assert.equal(isFreshProof(proof("password"), [], NOW), true)
    assert.equal(isFreshProof(proof("password"), [], NOW + last), true)
    assert.equal(isFreshProof(proof("password"), [], NOW + last + 1), false)
    assert.equal(isFreshProof(proof("password"), [], NOW - 5), true, "given on a node whose clock is ahead")
    assert.equal(isFreshProof(proof("password"), [], NOW - 6), false)
    assert.equal(isFreshProof(null, [], NOW), false)
  })

  it("is of the strongest thing that the account has now", () => {
    assert.equal(isFreshProof(proof("password"), [totp], NOW), false)
    assert.equal(isFreshProof(proof("second-factor"), [totp], NOW), true)
    assert.equal(isFreshProof(proof("second-factor"), [], NOW), true)
  })
})

it("FACTOR-7: a name is 1 to 100 visible characters; nothing typed leaves the usual one", () => {
  assert.deepEqual(parseFactorName("  ", "Passkey"), { ok: true, value: "Passkey" })
  assert.deepEqual(parseFactorName(" My 🔑 ", "Passkey"), { ok: true, value: "My 🔑" })
  assert.equal(parseFactorName("🔑".repeat(100), "Passkey").ok, true)
  assert.equal(parseFactorName("🔑".repeat(101), "Passkey").ok, false)
  assert.equal(parseFactorName("pay\u200bpal", "Passkey").ok, false)
})

it("OIDC-4 the methods of a proof: the passkey that was used last says whether it is bound to its device", () => {
  assert.deepEqual(methodsOf("password", []), ["pwd"])
  assert.deepEqual(methodsOf("totp", [totp, passkey]), ["otp"])
  assert.deepEqual(methodsOf("recovery", [recovery]), ["otp"])
  const used = (usedAt: number | null, isBackedUp: boolean) => ({ ...passkey, usedAt, isBackedUp })
  assert.deepEqual(methodsOf("passkey", [totp, used(null, false)]), ["hwk", "user"])
  assert.deepEqual(methodsOf("passkey", [used(8, false), used(9, true)]), ["swk", "user"])
  assert.deepEqual(methodsOf("passkey", [used(9, false), used(8, true)]), ["hwk", "user"])
})
