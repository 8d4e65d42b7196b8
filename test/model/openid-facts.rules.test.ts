import { test } from "node:test"
import assert from "node:assert/strict"
import { openidFacts, readOpenidFacts } from "../../src/model/openid-facts.rules.ts"

test("OIDC-4 the facts of a sign-in are its last proof, what proved it, and the nonce of the request", () => {
  const of = (proof: Parameters<typeof openidFacts>[0]["proof"]) =>
    readOpenidFacts(openidFacts({ proof, createdAt: 5 }, "n", "s"))
  const whole = { nonce: "n", authTime: 7, amr: ["pwd"], acr: "1", sid: "s" }
  assert.deepEqual(of({ by: "password", at: 7, amr: ["pwd"] }), whole)
  // A provider that names no method.
  assert.deepEqual(of({ by: "password", at: 7 }), { ...whole, amr: [] })
  const second = { by: "second-factor", at: 7 } as const
  assert.deepEqual(of({ ...second, amr: ["pwd", "otp"] }), { ...whole, amr: ["pwd", "otp", "mfa"], acr: "2" })
  assert.deepEqual(of({ ...second, amr: ["mfa"] }), { ...whole, amr: ["mfa"], acr: "2" })
  assert.deepEqual(of(second), { ...whole, amr: ["mfa"], acr: "2" })
  assert.deepEqual(of(null), { ...whole, authTime: 5, amr: [] })
})
