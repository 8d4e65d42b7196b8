import { describe, it } from "node:test"
import assert from "node:assert/strict"
import type { FactorId, UserId } from "../../../src/kernel/ids.ts"
import {
  decideEnrolment,
  decideFactorName,
  decideFactorRemoval,
  decideFactorsReset,
  decideRecoveryCodes,
  type FactorChange,
} from "../../../src/accounts/factors/factor-change.rules.ts"
import type { Factor, Passkey, Recovery, Totp } from "../../../src/model/factor.rules.ts"
import { NO_PASSWORD } from "../../../src/model/account.rules.ts"
import type { Change } from "../../../src/model/change.rules.ts"
import type { Identity } from "../../../src/model/sign-in/identity.rules.ts"
import { FACTORS_AT_MOST } from "../../../src/kernel/account-limits.ts"
import { account, hash, NOW, USER_ID } from "../../support/core-sample.ts"

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

const asked = (factors: readonly Factor[], isProven = true): FactorChange => ({
  account,
  factors,
  isProven,
  identities: [],
  now: NOW,
  address: "192.0.2.1",
})
const identity: Identity = {
  identityHash: hash("identity"),
  issuer: "https://id.example",
  subject: "1",
  userId: USER_ID,
  provider: "work",
  shownName: null,
  linkedAt: NOW,
  grantsAdministration: false,
}
const offered = { hasPasskeys: true, providers: [] }
const kinds = (of: { readonly changes: readonly { readonly change: string }[] }) =>
  of.changes.map(({ change }) => change)

describe("FACTOR-1, FACTOR-2: enrolling", () => {
  const sessionHash = hash("session")

  it("adds the factor, records it, and counts as a proof of the browser", () => {
    const { answer, changes } = decideEnrolment(asked([]), totp, null, sessionHash)
    assert.equal(answer, "done")
    assert.deepEqual(changes[0], { change: "factorAdded", factor: totp })
    assert.deepEqual(changes[1], {
      change: "sessionProven",
      sessionHash,
      proof: { by: "second-factor", at: NOW, amr: ["otp"] },
    })
    assert.equal(changes[2]?.change, "eventRecorded")
  })

  it("needs a fresh proof", () => {
    assert.deepEqual(decideEnrolment(asked([], false), totp, null, sessionHash), {
      answer: "unproven",
      changes: [],
    })
  })

  it("sent twice adds once", () => {
    assert.deepEqual(decideEnrolment(asked([totp]), totp, null, sessionHash), { answer: "done", changes: [] })
  })

  it("refuses a passkey that is enrolled already", () => {
    assert.equal(
      decideEnrolment(asked([]), passkey, { ...passkey, factorId: factorId("x") }, null).answer,
      "taken",
    )
  })

  it(`stops at ${FACTORS_AT_MOST}; recovery codes do not count`, () => {
    const many = Array.from({ length: FACTORS_AT_MOST }, (_, n): Totp => ({
      ...totp,
      factorId: factorId(`m${n}`),
    }))
    assert.equal(decideEnrolment(asked(many), totp, null, null).answer, "too-many")
    assert.equal(decideEnrolment(asked([recovery, ...many.slice(1)]), totp, null, null).answer, "done")
  })
})

describe("FACTOR-6: making recovery codes", () => {
  it("replaces the old ones", () => {
    const fresh = { ...recovery, factorId: factorId("n") }
    const decision = decideRecoveryCodes(asked([totp, recovery]), fresh)
    assert.equal(decision.answer, "done")
    assert.deepEqual(kinds(decision), ["factorRemoved", "factorAdded", "eventRecorded"])
  })

  it("needs a fresh proof, and a second factor to stand in for", () => {
    assert.equal(decideRecoveryCodes(asked([totp], false), recovery).answer, "unproven")
    assert.equal(decideRecoveryCodes(asked([]), recovery).answer, "no-factor")
  })
})

describe("FACTOR-7, FACTOR-8: renaming and removing", () => {
  it("a name may be changed without a proof, of an own factor only", () => {
    const { answer, changes } = decideFactorName(asked([totp], false), totp.factorId, "Tablet")
    assert.equal(answer, "done")
    assert.deepEqual(changes, [{ change: "factorChanged", factor: { ...totp, name: "Tablet" } }])
    assert.equal(decideFactorName(asked([totp]), passkey.factorId, "Tablet").answer, "unknown")
  })

  it("removing needs a fresh proof and leaves the others", () => {
    assert.equal(decideFactorRemoval(asked([totp], false), totp.factorId, offered).answer, "unproven")
    assert.equal(decideFactorRemoval(asked([totp]), passkey.factorId, offered).answer, "unknown")
    const decision = decideFactorRemoval(asked([totp, passkey, recovery]), totp.factorId, offered)
    assert.deepEqual(decision.changes[0], { change: "factorRemoved", factorId: totp.factorId })
    assert.deepEqual(kinds(decision), ["factorRemoved", "eventRecorded"])
  })

  it("recovery codes go with the last second factor", () => {
    const decision = decideFactorRemoval(asked([totp, recovery]), totp.factorId, offered)
    assert.deepEqual(kinds(decision), ["factorRemoved", "factorRemoved", "eventRecorded", "eventRecorded"])
  })

  it("an administrator's reset removes all and signs every browser out", () => {
    const decision = decideFactorsReset(asked([totp, recovery], false))
    assert.deepEqual(kinds(decision), ["factorsReset", "sessionsEnded", "eventRecorded"])
  })

  it("UP-10 the last passkey of an account without a password stays, where it works", () => {
    const without = { account: { ...account, passwordHash: NO_PASSWORD }, factors: [passkey, totp] }
    const removal = (facts: Partial<FactorChange> = {}, hasPasskeys = true, one: Factor = passkey) =>
      decideFactorRemoval({ ...asked([]), ...without, ...facts }, one.factorId, {
        hasPasskeys,
        providers: [{ issuer: "https://id.example" }],
      })
    assert.deepEqual(removal(), { answer: "last-way-in", changes: [] })
    assert.equal(removal({}, true, totp).answer, "done", "a one-time password signs in with nothing")
    assert.equal(removal({ account }).answer, "done")
    const second = { ...passkey, factorId: factorId("q") }
    assert.equal(removal({ factors: [passkey, second] }).answer, "done")
    const identities = [identity]
    assert.equal(removal({ identities }).answer, "done")
    const admin = { ...without.account, admin: true }
    assert.equal(removal({ identities, account: admin }).answer, "last-way-in", "without the provider")
  })

  it("the event names kind and name of each factor, and who removed it", () => {
    const actorId = "01kb3w5f6y8m2q4r7t9v1x3z5e" as UserId
    const recorded = (of: { readonly changes: readonly Change[] }) =>
      of.changes.flatMap((one) =>
        one.change === "eventRecorded" ? [`${one.event.kind} ${one.event.detail} ${one.event.actorId}`] : [],
      )
    const by = { ...asked([totp, recovery]), actorId }
    assert.deepEqual(recorded(decideFactorRemoval(by, totp.factorId, offered)), [
      `factor-removed totp: Phone ${actorId}`,
      `factor-removed recovery: Phone ${actorId}`,
    ])
    assert.deepEqual(recorded(decideFactorsReset(by)), [`factors-reset 2 removed ${actorId}`])
    assert.deepEqual(recorded(decideRecoveryCodes(by, recovery)), [`factor-added recovery: Phone ${actorId}`])
    assert.deepEqual(recorded(decideEnrolment({ ...by, factors: [] }, passkey, null, null)), [
      `factor-added passkey: Phone ${actorId}`,
    ])
  })

  it("an administrator's reset leaves no session", () => {
    const { answer, changes } = decideFactorsReset(asked([totp]))
    assert.equal(answer, "done")
    assert.deepEqual(changes[1], { change: "sessionsEnded", userId: USER_ID, except: null, at: NOW })
  })
})
