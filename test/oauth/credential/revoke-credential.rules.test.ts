import { test } from "node:test"
import assert from "node:assert/strict"
import { revokeCredential } from "../../../src/oauth/credential/revoke-credential.rules.ts"
import { DAY } from "../../../src/kernel/time.ts"
import { credential, lives, NOW } from "../../support/core-sample.ts"

test("CRED-3 revoking what time has ended stores that end, and no revocation", () => {
  const [stored, ...more] = revokeCredential(
    credential(lives.active),
    "administrator",
    NOW + 90 * DAY + 1,
    null,
  )
  assert.ok(stored?.change === "credentialChanged" && stored.credential.life.state === "ended")
  assert.deepEqual(more, [])
})

test("CRED-3 a consent whose code was not used yet can be revoked", () => {
  const [stored] = revokeCredential(credential(lives.issued), "account-holder", NOW + 5, null)
  assert.ok(stored?.change === "credentialChanged" && stored.credential.life.state === "revoked")
  assert.equal(stored.credential.life.family, null)
})
