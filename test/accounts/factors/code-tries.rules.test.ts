import { describe, test } from "node:test"
import assert from "node:assert/strict"
import type { FactorId, Hash, TokenId, UserId } from "../../../src/kernel/ids.ts"
import type { Change } from "../../../src/model/change.rules.ts"
import {
  areCodesClosed,
  decideCountedCode,
  decideCountedPasskey,
  decideUnlock,
} from "../../../src/accounts/factors/code-tries.rules.ts"
import type { Passkey, Totp, CodeTries } from "../../../src/model/factor.rules.ts"
import { CODE_FAILURES_AT_MOST } from "../../../src/kernel/account-limits.ts"
import { NOW } from "../../support/core-sample.ts"

const userId = "01kb3w5f6y8m2q4r7t9v1x3z5a" as UserId
const totp: Totp = {
  kind: "totp",
  factorId: "01kb3w5f6y8m2q4r7t9v1x3z5b" as FactorId,
  userId,
  name: "Phone",
  addedAt: NOW,
  usedAt: null,
  sealedSecret: "",
  usedStep: 0,
}
const attempt = { userId, factors: [totp], purpose: "sign-in", now: NOW, address: "192.0.2.1" } as const
const wrong = { steps: new Map(), recoveryHash: "x".repeat(43) as Hash }
const right = { steps: new Map([[totp.factorId, [7]]]), recoveryHash: null }
const failures = (unknownFailures: number, knownFailures = 0): CodeTries => ({
  userId,
  unknownFailures,
  knownFailures,
})

function decide(tries: CodeTries | null, isKnownBrowser: boolean, code: typeof wrong | typeof right = wrong) {
  const { answer, changes } = decideCountedCode({ attempt, tries, isKnownBrowser }, code)
  return { answer, events: eventsIn(changes), ...triesIn(changes) }
}

function eventsIn(changes: readonly Change[]): readonly string[] {
  return changes.flatMap((one) => {
    if (one.change === "eventRecorded") return [`${one.event.kind} ${one.event.detail}`]
    return one.change === "eventCounted" ? [`counted, ${one.series}| ${one.event.detail}`] : []
  })
}

function triesIn(changes: readonly Change[]): { readonly tries?: CodeTries | null } {
  const set = changes.find((one) => one.change === "codeTriesSet")
  return set === undefined ? {} : { tries: set.tries }
}

describe("FACTOR-11: wrong codes in a row", () => {
  test("a hundred from unknown browsers close codes to these; the first is an event, the others count it", () => {
    let tries: CodeTries | null = null
    const events: string[] = []
    for (let n = 1; n <= CODE_FAILURES_AT_MOST; n++) {
      assert.equal(areCodesClosed(tries), false)
      const decided = decide(tries, false)
      assert.equal(decided.answer, null)
      events.push(...decided.events)
      tries = decided.tries ?? null
      assert.equal(tries?.unknownFailures, n)
    }
    const counted = Array.from({ length: 99 }, (_, n) => `counted, code: | code: ${n + 2} in a row`)
    counted.splice(4, 0, "guessing-suspected 5 wrong codes in a row")
    assert.deepEqual(events, ["factor-refused code: 1 in a row", ...counted, "codes-closed 100 in a row"])
    assert.equal(areCodesClosed(tries), true)
    for (const code of [wrong, right])
      assert.deepEqual(decide(tries, false, code), { answer: "closed", events: [] }, "not looked at")
  })

  test("a known browser is never locked out, and its failures close nothing", () => {
    const first = decide(failures(100), true)
    const of = "code from a known browser: "
    assert.deepEqual([first.tries, first.events], [failures(100, 1), [`factor-refused ${of}1 in a row`]])
    const late = decide(failures(3, 99), true)
    assert.deepEqual([late.tries, late.events], [failures(3, 100), [`counted, ${of}| ${of}100 in a row`]])
    assert.equal(areCodesClosed(failures(99, 1000)), false)
  })

  test("a right code from a known browser opens them; one from an unknown browser ends its series", () => {
    assert.deepEqual(decide(failures(100, 2), true, right), {
      answer: "totp",
      events: ["codes-opened from a known browser"],
      tries: null,
    })
    assert.deepEqual(decide(failures(99), true, right), { answer: "totp", events: [], tries: null })
    assert.deepEqual(decide(failures(99), false, right), { answer: "totp", events: [], tries: null })
    assert.deepEqual(decide(failures(99, 2), false, right).tries, failures(0, 2))
    assert.deepEqual(decide(null, false, right), { answer: "totp", events: [] }, "nothing more is written")
  })

  test("a passkey opens codes that are closed, and resets no count below a hundred", () => {
    const passkey: Passkey = {
      ...totp,
      kind: "passkey",
      credentialId: "",
      publicKey: "",
      counter: 0,
      transports: [],
      isBackedUp: false,
    }
    const ticketId = "01kb3w5f6y8m2q4r7t9v1x3z5c" as TokenId
    const asserted = { factorId: passkey.factorId, ticketId, counter: 0, isBackedUp: false }
    const prove = (tries: CodeTries | null, isSpent = false) => {
      const by = { ...attempt, factors: [passkey] }
      const { answer, changes } = decideCountedPasskey(by, asserted, isSpent, tries)
      return { answer, opened: eventsIn(changes).includes("codes-opened by a passkey"), ...triesIn(changes) }
    }
    assert.deepEqual(prove(failures(100)), { answer: "passkey", opened: true, tries: null })
    for (const tries of [null, failures(99), failures(0, 500)])
      assert.deepEqual(prove(tries), { answer: "passkey", opened: false })
    assert.deepEqual(prove(failures(100), true), { answer: null, opened: false }, "a replay opens nothing")
  })

  test("an administrator opens them, and is named", () => {
    const by = { userId, actorId: null, address: null }
    assert.deepEqual(decideUnlock(null, by, NOW), [])
    const [set, recorded] = decideUnlock(failures(100), by, NOW)
    assert.deepEqual(set, { change: "codeTriesSet", userId, tries: null })
    assert.ok(recorded?.change === "eventRecorded" && recorded.event.kind === "codes-opened")
    assert.equal(decideUnlock(failures(5), by, NOW).length, 1)
  })
})
