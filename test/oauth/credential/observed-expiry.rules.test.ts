import { test } from "node:test"
import assert from "node:assert/strict"
import { asOf } from "../../../src/model/credential.rules.ts"
import { persistObservedExpiry } from "../../../src/oauth/credential/observed-expiry.rules.ts"
import { YEAR } from "../../../src/kernel/time.ts"
import { credential, lives, NOW } from "../../support/core-sample.ts"

test("CRED-4 an end that is answered is stored; where nothing ended, nothing is written", () => {
  const held = credential(lives.active)
  assert.deepEqual(persistObservedExpiry(held, asOf(held, NOW)), [])
  const ended = asOf(held, NOW + YEAR)
  assert.deepEqual(persistObservedExpiry(held, ended), [{ change: "credentialChanged", credential: ended }])
})
