import { test } from "node:test"
import assert from "node:assert/strict"
import type { Hash, UserId } from "../../../src/kernel/ids.ts"
import { type Facts, nextStep } from "../../../src/oauth/openid/next-step.rules.ts"
import type { OpenidParameters } from "../../../src/oauth/openid/openid-parameters.rules.ts"

const NOW = 10_000
const ADA = "ada" as UserId
const BOB = "bob" as UserId

type Session = NonNullable<Facts["session"]>

/** The session is two thousand seconds old, and its last proof one thousand. */
const session: Session = {
  sessionHash: "old" as Hash,
  userId: ADA,
  createdAt: NOW - 2000,
  proof: { by: "password", at: NOW - 1000 },
}
const facts: Facts = { session, hinted: undefined, began: null, isRemembered: false }
const began = { at: NOW - 100, sessionHash: session.sessionHash }
const since: Session = {
  ...session,
  sessionHash: "new" as Hash,
  createdAt: NOW - 50,
  proof: { by: "password", at: NOW - 50 },
}

function stepOf(parameters: OpenidParameters, more: Partial<Facts> = {}): string {
  const next = nextStep(parameters, { ...facts, ...more }, NOW)
  if (next.step === "refuse") return next.refusal.reason
  return next.step === "sign-in" && next.isProofNeeded ? "prove" : next.step
}

test("OIDC-7 prompt=none never shows a page, whatever else the request says", () => {
  const hints = [undefined, null, ADA, BOB]
  for (const who of [null, session, since])
    for (const hinted of hints)
      for (const maxAge of [undefined, 0, 100, 5000])
        for (const begins of [null, began])
          for (const isRemembered of [true, false]) {
            const parameters = { prompt: ["none"], ...(maxAge !== undefined && { maxAge }) } as const
            const step = stepOf(parameters, { session: who, hinted, began: begins, isRemembered })
            const age = who === null ? Infinity : NOW - (who.proof?.at ?? 0)
            const isSignedIn = hinted === undefined ? who !== null : who !== null && hinted === ADA
            const answer = age <= (maxAge ?? age) ? "grant" : "loginRequired"
            // Without a remembered consent, the answer does not depend on the age.
            assert.equal(step, isSignedIn ? (isRemembered ? answer : "consentRequired") : "loginRequired")
          }
})

test("OIDC-7 without a parameter, a person signs in and sees the consent page, unless it is remembered", () => {
  assert.equal(stepOf({}, { session: null }), "sign-in")
  assert.equal(stepOf({}), "ask")
  assert.equal(stepOf({}, { isRemembered: true }), "grant")
  for (const prompt of ["consent", "select_account"] as const)
    assert.equal(stepOf({ prompt: [prompt] }, { isRemembered: true }), "ask")
})

test("OIDC-8 prompt=login and max_age go on only after a proof since the request began", () => {
  for (const parameters of [{ prompt: ["login"] }, { maxAge: 0 }, { maxAge: 999 }] as const) {
    assert.equal(stepOf(parameters, { session: null }), "prove")
    assert.equal(stepOf(parameters), "prove")
    assert.equal(stepOf(parameters, { began }), "prove")
    assert.equal(stepOf(parameters, { began, session: since }), "ask")
    const again = { ...session, proof: { by: "second-factor", at: began.at + 1 } } as const
    assert.equal(stepOf(parameters, { began, session: again }), "ask")
  }
  assert.equal(stepOf({ maxAge: 1000 }), "ask")
  assert.equal(stepOf({ prompt: ["login", "consent"] }, { began, session: since, isRemembered: true }), "ask")
  assert.equal(stepOf({ prompt: ["login"] }, { began, session: since, isRemembered: true }), "grant")
})

test("OIDC-8 what is older than the request, or an hour old, proves nothing", () => {
  const prompt = ["login"] as const
  const sameSecond = { ...session, createdAt: began.at, proof: { by: "password", at: began.at } } as const
  assert.equal(stepOf({ prompt }, { began, session: sameSecond }), "prove")
  assert.equal(stepOf({ prompt }, { began: { ...began, at: NOW - 3601 }, session: since }), "prove")
  assert.equal(stepOf({ prompt }, { began: { ...began, at: NOW + 60 }, session: since }), "prove")
})

test("OIDC-8 a sign-in that proved nothing new goes back to the app, so that it is not asked for again", () => {
  const unproven = { ...since, proof: { by: "password", at: 0 } } as const
  assert.equal(stepOf({ prompt: ["login"] }, { began, session: unproven }), "loginRequired")
  assert.equal(stepOf({ maxAge: 60 }, { began, session: unproven }), "loginRequired")
})

test("OIDC-9 a hint of another person asks once to sign in as that person", () => {
  assert.equal(stepOf({}, { hinted: ADA }), "ask")
  assert.equal(stepOf({}, { hinted: BOB }), "prove")
  assert.equal(stepOf({}, { hinted: BOB, session: null }), "prove")
  assert.equal(stepOf({}, { hinted: BOB, began, session: { ...since, userId: BOB } }), "ask")
  assert.equal(stepOf({}, { hinted: BOB, began, session: since }), "loginRequired")
  assert.equal(stepOf({}, { hinted: null }), "ask")
})
