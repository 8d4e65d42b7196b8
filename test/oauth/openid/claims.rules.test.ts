import { test } from "node:test"
import assert from "node:assert/strict"
import type { UserId } from "../../../src/kernel/ids.ts"
import { claimsOf } from "../../../src/oauth/openid/claims.rules.ts"

const account = { userId: "u" as UserId, username: "ada", groups: ["crew"] }
const email = { address: "ada@example.org" }

test("OIDC-3 an app learns what it reaches, and an address only if it is confirmed", () => {
  assert.deepEqual(claimsOf(["openid"], account, email), { sub: "u" })
  assert.deepEqual(claimsOf(["openid", "profile", "email", "groups"], account, email), {
    sub: "u",
    preferred_username: "ada",
    name: "ada",
    email: "ada@example.org",
    email_verified: true,
    groups: ["crew"],
  })
  assert.deepEqual(claimsOf(["openid", "email"], account, null), { sub: "u" })
})
