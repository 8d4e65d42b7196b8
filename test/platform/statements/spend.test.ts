import assert from "node:assert/strict"
import { test } from "node:test"
import { digest } from "../../../src/kernel/hash.ts"
import { earlierUses, spendingOf } from "../../../src/platform/statements/spend.ts"
import { NOW } from "../../support/core-sample.ts"

const judged = { id: "once", overAt: NOW + 90 }

test("STATE-5 a jti is that of its issuer and its purpose", () => {
  const hashes = [
    ["application", "shop"],
    ["application", "forum"],
    ["id-jag", "shop"],
  ].map((whose) => spendingOf(whose, judged, "body", NOW).spent.assertionHash)
  assert.equal(new Set(hashes).size, 3)
  assert.equal(hashes[0], spendingOf(["application", "shop"], judged, "other", NOW + 1).spent.assertionHash)
})

test("STATE-5 a row names neither jti nor body, and a change loads the row of the same statement", () => {
  const spending = spendingOf(["assertion", "app", "/oauth/token"], judged, "body", NOW)
  // A release that is replaced must know the rows of the former one.
  assert.deepEqual(spending, {
    spent: {
      assertionHash: digest("assertion app /oauth/token once"),
      bodyHash: digest("body"),
      deleteAfter: NOW + 90,
    },
    provenAt: NOW,
  })
  assert.deepEqual(earlierUses(spending), {
    spentAssertion: spending.spent.assertionHash,
    meta: "assertions_swept",
  })
})

test("STATE-5 a statement without jti is never marked as used", () => {
  assert.throws(() => spendingOf(["x"], { id: null, overAt: NOW }, "", NOW), /without jti/)
})
