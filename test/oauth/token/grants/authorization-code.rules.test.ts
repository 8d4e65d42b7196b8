import { test } from "node:test"
import assert from "node:assert/strict"
import {
  type CodeDecision,
  type CodeEvent,
  codeState,
  codeTable,
  decideCode,
} from "../../../../src/oauth/token/grants/authorization-code.rules.ts"
import type { Life } from "../../../../src/model/credential.rules.ts"
import { credential, lives, NOW, TOKEN_ID } from "../../../support/core-sample.ts"

const events: Record<CodeEvent["event"], CodeEvent> = {
  exchanged: { event: "exchanged" },
  exchangedWrongly: { event: "exchangedWrongly", refusal: { reason: "verifierWrong", tokenId: TOKEN_ID } },
}
const decide = (life: Life, event: keyof typeof events): CodeDecision =>
  decideCode(credential(life), events[event])
const refuse = (reason: "codeExpired" | "codeVoid" | "verifierWrong"): CodeDecision => ({
  decision: "refuse",
  refusal: { reason, tokenId: TOKEN_ID },
})

const expired: Life = { state: "ended", family: null, endedAt: NOW + 600, because: "code-expired" }
const revokedUnused: Life = { state: "revoked", family: null, revokedAt: NOW, because: "account-holder" }

test("CODE-1 issued: a right exchange mints, a wrong one leaves the code usable", () => {
  assert.deepEqual(decide(lives.issued, "exchanged"), { decision: "mint" })
  assert.deepEqual(decide(lives.issued, "exchangedWrongly"), refuse("verifierWrong"))
})

test("CODE-2 expired: refused, right or wrong", () => {
  assert.deepEqual(decide(expired, "exchanged"), refuse("codeExpired"))
  assert.deepEqual(decide(expired, "exchangedWrongly"), refuse("codeExpired"))
})

test("CODE-3 consumed: refused and revoked, right or wrong, whatever became of the credential", () => {
  for (const life of [lives.active, lives.revoked, lives.ended]) {
    for (const event of ["exchanged", "exchangedWrongly"] as const) {
      assert.deepEqual(decide(life, event), {
        decision: "revoke",
        refusal: { reason: "codeReplayed", tokenId: TOKEN_ID },
      })
    }
  }
})

test("CODE-1 void: a code whose consent was revoked mints nothing", () => {
  assert.deepEqual(decide(revokedUnused, "exchanged"), refuse("codeVoid"))
  assert.deepEqual(decide(revokedUnused, "exchangedWrongly"), refuse("codeVoid"))
})

test("CODE-1…CODE-3 the state of a code is read off its credential", () => {
  const states = [lives.issued, lives.active, lives.revoked, lives.ended, expired, revokedUnused].map(
    (life) => codeState(credential(life)).state,
  )
  assert.deepEqual(states, ["issued", "consumed", "consumed", "consumed", "expired", "void"])
})

test("CODE-1…CODE-3 the table has these states and events, and no others", () => {
  assert.deepEqual(Object.keys(codeTable), ["issued", "consumed", "expired", "void"])
  for (const cells of Object.values(codeTable)) assert.deepEqual(Object.keys(cells), Object.keys(events))
})
