import { test } from "node:test"
import assert from "node:assert/strict"
import { openidFacts, readOpenidFacts } from "../../src/model/openid-facts.rules.ts"

test("OIDC-4 the facts of a sign-in are its last proof, what proved it, and the nonce of the request", () => {
  const of = (proof: Parameters<typeof openidFacts>[0]["proof"]) =>
    readOpenidFacts(openidFacts({ proof, createdAt: 5 }, "n", "s"))
  assert.deepEqual(of({ by: "password", at: 7 }), {
    nonce: "n",
    authTime: 7,
    amr: ["pwd"],
    acr: "1",
    sid: "s",
  })
  assert.deepEqual(of({ by: "second-factor", at: 7 }), {
    nonce: "n",
    authTime: 7,
    amr: ["mfa"],
    acr: "2",
    sid: "s",
  })
  assert.deepEqual(of(null), { nonce: "n", authTime: 5, amr: [], acr: "1", sid: "s" })
})
