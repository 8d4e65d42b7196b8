import assert from "node:assert/strict"
import { test } from "node:test"
import { sealContinuation, waitingBehind } from "../../../src/accounts/sign-in/continuation.ts"
import { deriveKeys } from "../../../src/kernel/keys.ts"

const keys = deriveKeys(Buffer.alloc(32, 1))
const AUTHORIZE = "/oauth/authorize?client_id=a"

test("CONSENT-2 a page on the way carries the authorization that waits in `continue`, sealed by this service alone", () => {
  const carrying = (sealed: string) => `/account/security/totp?continue=${encodeURIComponent(sealed)}`
  assert.equal(waitingBehind(keys, AUTHORIZE), "app")
  assert.equal(waitingBehind(keys, carrying(sealContinuation(keys, AUTHORIZE))), "app")
  assert.equal(waitingBehind(keys, carrying(sealContinuation(keys, "/oauth/device"))), "device")
  assert.equal(waitingBehind(keys, carrying(sealContinuation(keys, "/account"))), null)
  const other = deriveKeys(Buffer.alloc(32, 2))
  assert.equal(waitingBehind(keys, carrying(sealContinuation(other, AUTHORIZE))), null)
  assert.equal(waitingBehind(keys, carrying(AUTHORIZE)), null)
  assert.equal(waitingBehind(keys, "/account/security/totp"), null)
  assert.equal(waitingBehind(keys, null), null)
})
